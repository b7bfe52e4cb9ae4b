"""The words of Emlia for events, orders and questions, and the card of a unit."""
