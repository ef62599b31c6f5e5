"""What one would like to know of games that were played: how they ended, who had the better seat, what nets know."""
