"""Models of figures, trees and houses: code that generates them, and their files."""
