# What a board gets, for freezing into a build or for `mpremote mip`.
metadata(description="Reader board of the Maka Bana companion", version="0.1.0")  # noqa: F821 - given by the build

for name in "framing settings mfrc522 pn532 presence reader bus wiring mqtt wireless link node main".split():
    module(name + ".py")  # noqa: F821
