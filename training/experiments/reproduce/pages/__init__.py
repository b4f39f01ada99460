"""The pages of the papers' tables: figures and pictures beside the printed lines."""
