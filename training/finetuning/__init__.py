"""Learning from labelled frames: from settings to a model folder, judged on patients that were held out."""
