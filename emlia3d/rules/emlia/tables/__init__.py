"""Tables and figures of Emlia, a module for each chapter."""
