"""Settings of a command that runs one of several methods.

`PretrainConfig(method="simclr", ...)` has the common settings and SimCLR's; those of other methods are rejected.
"""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, ClassVar, Self, cast

from pydantic import ModelWrapValidatorHandler, create_model, field_validator, model_validator
from pydantic.fields import FieldInfo

from training.methods.method import Method
from training.settings import Settings, preset_values, shortened
from training.texts import Text


class MethodConfig(Settings):
    """A subclass defines methods, presets and common settings; `of` returns the class for a method."""

    methods: ClassVar[Mapping[str, type[Method]]] = {}
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Preset -> common settings that differ from the defaults; methods add their own."""

    method: str
    preset: str

    def __new__(cls, **fields: Any) -> Self:
        """An instance of the method's class."""
        return super().__new__(cls.of(fields.get("method")) if cls is cls._common() else cls)

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """As `cls(**obj)`, with pydantic's options."""
        kind = cls.of(obj.get("method") if isinstance(obj, Mapping) else None)
        return super(MethodConfig, kind).model_validate(obj, **options)

    @classmethod
    def of(cls, method: object) -> type[Self]:
        """The class of all settings of a method; of the common ones only if there is no such method."""
        common = cls._common()
        name = common.model_fields["method"].default if method is None else method
        known = common.methods.get(name) if isinstance(name, str) else None
        return cast("type[Self]", common if known is None else _with_own(common, known.settings_class))

    @classmethod
    def stored(cls, **fields: Any) -> Self:
        """A config from settings of several methods, as in run folders of older versions."""
        return cls(**cls.known(fields))

    @classmethod
    def known(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The given settings without those of other methods."""
        own, every = cls.of(fields.get("method")).model_fields, cls.every_field()
        return {name: value for name, value in fields.items() if name in own or name not in every}

    @classmethod
    def every_field(cls) -> Mapping[str, FieldInfo]:
        """The common settings, then those of all methods."""
        result = dict(cls._common().model_fields)
        for name in cls.methods:
            result |= {key: info for key, info in cls.of(name).model_fields.items() if key not in result}
        return result

    @classmethod
    def own_fields(cls, method: str) -> list[str]:
        """Names of a method's own settings."""
        common = cls._common().model_fields
        return [name for name in cls.of(method).model_fields if name not in common]

    @classmethod
    def owners(cls, setting: str) -> list[str]:
        """The methods that have this setting."""
        return [method for method in cls.methods if setting in cls.own_fields(method)]

    @classmethod
    def _common(cls) -> type[Self]:
        return cast("type[Self]", next(base for base in cls.__mro__ if MethodConfig in base.__bases__))

    @field_validator("method")
    @classmethod
    def _check_method(cls, name: str) -> str:
        if name not in cls.methods:
            raise ValueError(
                Text("there is no method {name}; there are {methods}", shortened(repr(name)), ", ".join(cls.methods))
            )
        return name

    def check_used(self, names: Collection[str]) -> None:
        """See `Settings`; a method has its own list of common settings that it does not use."""
        if unused := sorted(set(self.methods[self.method].unused).intersection(names)):
            raise ValueError(Text("the setting {name} has no effect with {other}", unused[0], self.method))
        super().check_used(names)

    @model_validator(mode="wrap")
    @classmethod
    def _fill_in(cls, given: Any, make: ModelWrapValidatorHandler[Self]) -> Self:
        """Fill in the preset and the method's settings; `model_fields_set` has what was given and the preset's.

        A resumed run is compared with those only: defaults depend on the start, which need not be named again.
        """
        if not isinstance(given, Mapping):
            return make(given)
        wanted = {key: value for key, value in given.items() if value is not None}
        fields = cls._common().model_fields
        name, preset = (wanted.get(key, fields[key].default) for key in ("method", "preset"))
        values = preset_values(cls.presets, preset)
        method = cls.methods.get(name) if isinstance(name, str) else None
        if method is None:  # reported by the field's check
            return make({**values, **wanted})
        for key in wanted:
            if key not in cls.model_fields and (owners := cls.owners(key)):
                raise ValueError(
                    Text("the setting {key} belongs to {owners}, not to {name}", key, ", ".join(owners), name)
                )
        values = {**values, **method.presets.get(preset, {})}
        result = make(cls.filled_in(method, values, wanted))
        result.__pydantic_fields_set__.intersection_update({*values, *wanted})
        return result

    @classmethod
    def filled_in(cls, method: type[Any], preset: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
        """The preset's settings, overridden by explicit ones."""
        return {**preset, **wanted}


@cache
def _with_own(common: type[MethodConfig], own: type[Settings]) -> type[MethodConfig]:
    """The class with common and own settings."""
    bases = (common,) if issubclass(common, own) else (own, common)
    return cast("type[MethodConfig]", create_model(common.__name__, __base__=bases, __module__=common.__module__))
