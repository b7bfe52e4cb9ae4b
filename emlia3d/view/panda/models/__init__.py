"""The figures, trees and houses: shapes made by code, and the files made from them."""
