"""The selections of classes that Vats et al. 2022 evaluate on, as settings of `datasets export`.

Their "OSF-Kvasir" keeps seven of Kvasir-Capsule's 14 classes: without the six that are no pathology (normal mucosa,
reduced view, foreign body, and the landmarks pylorus, ileocecal valve and ampulla of Vater) and without hematin. Which
classes stand in FS-KID and FS-KID2 could not be read in a source: ours take the pathologies that KID 1 and KID 2 have
folders for, and of KID 1 only those that a download has.
"""

PRESETS: dict[str, dict[str, object]] = {
    "osf-kvasir-7": {"classes": ("angiectasia", "blood", "erosion", "erythema", "lymphangiectasia", "polyp", "ulcer")},
    "fs-kid": {"kinds": ("finding",)},
    "fs-kid2": {"classes": ("inflammation", "polyp", "vascular lesion")},
}
