"""One file a revision; never changed once published."""

DIGESTS = {
    "0001": "8996bca5916877ef9874e2ad62a070451f452f9a36ba765f5f431384f6b000ed",
    "0002": "f3462570b34ec2e0e45bcd27b07ee7417ed4d327cec78ade1de59bca73560fa9",
    "0003": "9c89ed36ef801d2fc811be3364e0e535870ba32a051431a83acbc9fa5ba67613",
    "0004": "b7fb253c1f2409dc0cc7ba8f8dac77bc7fa3ae9101e56566b7fb08cc75a44799",
    "0005": "1b5f9a76f70b5673449375a08a6b1e1f61ec6b971720b1404579b55c0662a17b",
    "0006": "ce44ffb061d4da6efb90566d452687a6c34fba3023993132b8b0a726867a5de0",
    "0007": "db68133b503777dba9577269953ff9b73e8754f2fd2081d66ef51f0ed87cd6f2",
    "0008": "7fcb579f3577ae20bca36839f6be1d1142f30a1f49dbc5959645eb92dbeadc11",
    "0009": "0f4a0bd670a99f7f295583dea5c70cb35df312612df33c756cc5b33649ca6577",
    "0010": "dbf7d12a8734269aa6a8cc33de1276762e65846b3b7c9acd19a110715dbbf039",
}
"""All revisions, oldest first -> SHA-256 of their definitions: what matches need not be compared with a new database.

Known here so that opening a library need not import Alembic.
"""
