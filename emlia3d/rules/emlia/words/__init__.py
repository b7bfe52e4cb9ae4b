"""Events, orders, questions and names of Emlia in words."""
