"""The commanders of Runolfsson's skirmish: the doctrine, and the search among its orders."""
