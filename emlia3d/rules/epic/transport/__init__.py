"""Transport: which units a carrier holds, and how they mount and dismount."""
