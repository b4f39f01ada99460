"""Boxes and labels of images in the formats of annotation tools: COCO, CVAT, YOLO, VIA, LabelMe; read and written."""
