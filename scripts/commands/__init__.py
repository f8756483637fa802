"""What scripts/build, serve, test and bench do once everything is set up."""
