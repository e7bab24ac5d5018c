"""Which embedding model made the vectors of a document, as its fingerprint says."""

from __future__ import annotations

from desktop_qa.index.embedder import MODEL_FINGERPRINT

_MODEL_MARK = "model "


def embedding_model(fingerprint: str) -> str:
    """Return the part of a document's fingerprint that names the model; empty when none does."""
    return fingerprint.partition(_MODEL_MARK)[2].partition(";")[0].strip()


def is_foreign_model(fingerprint: str) -> bool:
    """Tell whether the vectors of a document are those of another model than the present one."""
    return embedding_model(fingerprint) not in ("", MODEL_FINGERPRINT)


def of_present_model(fingerprint: str) -> str:
    """Return a document's fingerprint as it is once its vectors are of the present model."""
    model = embedding_model(fingerprint)
    return fingerprint.replace(_MODEL_MARK + model, _MODEL_MARK + MODEL_FINGERPRINT)


def differs_in_model_only(fingerprint: str, present: str) -> bool:
    """Tell whether a document would be read the same today, and only embedded otherwise."""
    return is_foreign_model(fingerprint) and of_present_model(fingerprint) == present
