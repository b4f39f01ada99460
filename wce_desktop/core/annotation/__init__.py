"""What readers enter: labels, findings, landmarks, links, records; and the changes that an edit makes."""
