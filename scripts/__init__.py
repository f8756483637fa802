"""What turns the repository into a tested package and a site."""
