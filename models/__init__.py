"""Figures, trees and houses as Panda3D meshes; `emlia3d.view.panda.models` makes them."""
