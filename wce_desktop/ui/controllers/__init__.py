"""What happens on each action of the table: one controller a menu, one method an action."""
