"""The projects that `Benchmarks/check` generates: bundles of many versions, and mapping models as Xcode saves them."""

import base64
import struct
from dataclasses import dataclass


@dataclass
class Project:
    """How a generated bundle grows from its first version to its last."""

    name: str
    versions: int
    entities: tuple
    attributes: int
    added: int
    mappings: int = 0

    def entity_count(self, version):
        first, last = self.entities
        return first + (last - first) * (version - 1) // max(self.versions - 1, 1)

    def model(self, version):
        """The entities of a version, each with the names of its attributes; `added` ones come with every version."""
        count = self.entity_count(version)
        extra = [0] * count
        for number in range(version * self.added):
            extra[number % self.entities[0]] += 1
        return [[f"value{position}" for position in range(self.attributes + extra[entity])] for entity in range(count)]

    def write(self, folder):
        """Writes the bundle and the mapping models beside it, and gives the bundle's path."""
        bundle = folder / f"{self.name}.xcdatamodeld"
        for version in range(1, self.versions + 1):
            path = bundle / f"v{version}.xcdatamodel"
            path.mkdir(parents=True)
            (path / "contents").write_text(contents(self.model(version)))
        (bundle / ".xccurrentversion").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>_XCCurrentVersionName</key>'
            f"<string>v{self.versions}.xcdatamodel</string></dict></plist>\n")
        for number in range(self.mappings):
            source = 1 + number * (self.versions - 1) // self.mappings
            path = folder / "Mappings" / f"v{source}to{source + 1}.xcmappingmodel"
            path.mkdir(parents=True)
            (path / "xcmapping.xml").write_text(mapping_model(self, source, source + 1))
        return bundle


def relationships(entity, count):
    """The relationships of an entity, as name, destination and inverse: to its neighbours."""
    if entity + 1 < count:
        yield "next", entity + 1, "former", False
    if entity > 0:
        yield "former", entity - 1, "next", True


TYPES = ["String", "Integer 32", "Boolean", "Date", "Double"]


def contents(model):
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
             '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">']
    for entity, attributes in enumerate(model):
        lines.append(f'    <entity name="Entity{entity}" representedClassName="Entity{entity}">')
        for position, attribute in enumerate(attributes):
            kind = TYPES[position % len(TYPES)]
            scalar = ' usesScalarValueType="YES"' if kind in ("Integer 32", "Boolean", "Double") else ""
            lines.append(f'        <attribute name="{attribute}" optional="YES" attributeType="{kind}"{scalar}/>')
        for name, other, inverse, is_to_many in relationships(entity, len(model)):
            bounds = 'toMany="YES"' if is_to_many else 'maxCount="1"'
            lines.append(
                f'        <relationship name="{name}" optional="YES" {bounds} deletionRule="Nullify" '
                f'destinationEntity="Entity{other}" inverseName="{inverse}" inverseEntity="Entity{other}"/>')
        lines.append("    </entity>")
    return "\n".join(lines + ["</model>", ""])


def mapping_model(project, source, destination):
    """An `xcmapping.xml` whose mappings are all generated, as the editor makes it for two versions."""
    first, second = project.model(source), project.model(destination)
    lines, entities = [], []

    def element(kind, identifier, values, links):
        lines.append(f'    <object type="{kind}" id="z{identifier}">')
        for name, form, value in values:
            lines.append(f'        <attribute name="{name}" type="{form}">{value}</attribute>')
        for name, target, identifiers in links:
            text = " ".join(f"z{identifier}" for identifier in identifiers)
            lines.append(
                f'        <relationship name="{name}" type="0/0" destination="{target}" idrefs="{text}"></relationship>')
        lines.append("    </object>")

    root, following = 101, 102
    for number, attributes in enumerate(second):
        entity, following = following, following + 1
        entities.append(entity)
        mapped = {"XDDEVATTRIBUTEMAPPING": [], "XDDEVRELATIONSHIPMAPPING": []}
        properties = [("XDDEVATTRIBUTEMAPPING", name) for name in attributes]
        properties += [("XDDEVRELATIONSHIPMAPPING", link[0]) for link in relationships(number, len(second))]
        for kind, name in properties:
            element(kind, following, [("autogenerateexpression", "bool", 1), ("name", "string", name)],
                    [("entitymapping", "XDDEVENTITYMAPPING", [entity])])
            mapped[kind].append(following)
            following += 1
        names = [("destinationname", "string", f"Entity{number}")]
        if number < len(first):
            names.append(("sourcename", "string", f"Entity{number}"))
        element("XDDEVENTITYMAPPING", entity,
                [("mappingtypename", "string", "Undefined"), ("mappingnumber", "int16", number + 1),
                 ("autogenerateexpression", "bool", 1), *names],
                [("mappingmodel", "XDDEVMAPPINGMODEL", [root]),
                 ("attributemappings", "XDDEVATTRIBUTEMAPPING", mapped["XDDEVATTRIBUTEMAPPING"]),
                 ("relationshipmappings", "XDDEVRELATIONSHIPMAPPING", mapped["XDDEVRELATIONSHIPMAPPING"])])
    values = []
    for side, version, model in (("source", source, first), ("destination", destination, second)):
        path = f"App/{project.name}.xcdatamodeld/v{version}.xcdatamodel"
        text = base64.b64encode(Snapshot(model, seed=source).data()).decode()
        values.append((f"{side}modelpath", "string", path))
        values.append((f"{side}modeldata", "binary", f"{text[:64]}\n{text[64:]}\n"))
    element("XDDEVMAPPINGMODEL", root, values, [("entitymappings", "XDDEVENTITYMAPPING", entities)])
    head = ['<?xml version="1.0"?>', '<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">', "",
            "<database>", "    <databaseInfo>", "        <version>134481920</version>",
            f"        <nextObjectID>{following}</nextObjectID>", "    </databaseInfo>"]
    return "\n".join(head + lines + ["</database>", ""])


class Snapshot:
    """The archive of a model as Xcode's editor keeps it in a mapping model: every setting is an object of 15 fields.

    A property list in the binary form is written directly, with references of four bytes, as those of this size are.
    """

    STRINGS = {"String": 700, "Integer 32": 200, "Boolean": 800, "Date": 900, "Double": 500}
    PROPERTY = ["_type", "_default", "_association", "_owner", "_isReadOnly", "_isStatic", "_isUnique", "_visibility",
                "_isDerived", "$class", "_name", "_isOrdered", "_isComposite", "_uniqueElementID", "_isLeaf"]

    def __init__(self, model, seed):
        self.parts = []
        self.leaves = {}
        self.table = [self.leaf("$null")]
        self.classes = {}
        self.texts = {}
        self.serial = seed << 16
        self.off, self.zero, self.null = self.leaf(False), self.leaf(0), self.uid(0)
        root, package = self.reserve(), self.reserve()
        self.fill(root, "XDPMModel", {"_xd_rootPackage": self.uid(package), "_modelVersionIdentifier": self.uid(0)})
        self.entities = [self.reserve() for _ in model]
        self.links = {(entity, link[0]): self.reserve()
                      for entity in range(len(model)) for link in relationships(entity, len(model))}
        for number, attributes in enumerate(model):
            self.entity(number, attributes, len(model), package)
        self.fill(package, "XDModelPackage", {"_owner": self.null, "XDBucketForClassesstorage": self.uid(
            self.dictionary({f"Entity{number}": index for number, index in enumerate(self.entities)}))})

    # The layers from bytes to archived objects.

    def part(self, content):
        self.parts.append(content)
        return len(self.parts) - 1

    def leaf(self, value):
        key = (type(value), value)
        if key not in self.leaves:
            if value is True or value is False:
                content = b"\x09" if value else b"\x08"
            elif isinstance(value, int):
                content = b"\x13" + struct.pack(">q", value)
            else:
                content = self.marker(0x50, len(value)) + value.encode("ascii")
            self.leaves[key] = self.part(content)
        return self.leaves[key]

    def uid(self, number):
        key = (None, number)
        if key not in self.leaves:
            self.leaves[key] = self.part(b"\x81" + struct.pack(">H", number))
        return self.leaves[key]

    @staticmethod
    def marker(kind, count):
        if count < 15:
            return bytes([kind | count])
        return bytes([kind | 15]) + (struct.pack(">BB", 0x10, count) if count < 256 else struct.pack(">BI", 0x12, count))

    def container(self, kind, count, references):
        return self.part(self.marker(kind, count) + struct.pack(f">{len(references)}I", *references))

    def reserve(self):
        self.table.append(0)
        return len(self.table) - 1

    def fill(self, index, class_name, fields):
        fields = fields | {"$class": self.class_uid(class_name)}
        keys = [self.leaf(key) for key in fields]
        self.table[index] = self.container(0xD0, len(fields), keys + list(fields.values()))
        return index

    def object(self, class_name, fields):
        return self.fill(self.reserve(), class_name, fields)

    def class_uid(self, name):
        if name not in self.classes:
            index = self.reserve()
            names = self.container(0xA0, 2, [self.leaf(name), self.leaf("NSObject")])
            keys = [self.leaf("$classname"), self.leaf("$classes")]
            self.table[index] = self.container(0xD0, 2, keys + [self.leaf(name), names])
            self.classes[name] = self.uid(index)
        return self.classes[name]

    def text(self, value):
        if value not in self.texts:
            index = self.reserve()
            self.table[index] = self.leaf(value)
            self.texts[value] = index
        return self.texts[value]

    def dictionary(self, entries):
        keys = [self.uid(self.text(key)) for key in entries]
        values = [self.uid(index) for index in entries.values()]
        return self.object("NSMutableDictionary", {
            "NS.keys": self.container(0xA0, len(keys), keys), "NS.objects": self.container(0xA0, len(values), values)})

    # The model.

    def stereotype(self, name, owner, settings):
        properties = {key: self.setting(key, value, owner) for key, value in settings.items()}
        return self.object("XDUMLStereotypeImp", {
            "_owner": self.uid(owner), "_name": self.uid(self.text(name)), "_uniqueElementID": self.null,
            "_visibility": self.zero, "_isAbstract": self.off,
            "XDBucketForOwnedAttributesstorage": self.uid(self.dictionary(properties))})

    def setting(self, name, value, owner):
        """A setting; a tuple refers to an object, everything else is a value of its own."""
        if value is None:
            default = self.null
        elif isinstance(value, tuple):
            default = self.uid(value[0])
        elif isinstance(value, str):
            default = self.uid(self.text(value))
        else:
            index = self.reserve()
            self.table[index] = self.leaf(value)
            default = self.uid(index)
        fields = dict.fromkeys(self.PROPERTY, self.off) | {
            "_type": self.null, "_default": default, "_association": self.null, "_owner": self.uid(owner),
            "_visibility": self.zero, "_name": self.uid(self.text(name)), "_uniqueElementID": self.null}
        return self.object("XDUMLPropertyImp", fields)

    def element(self, index, class_name, name, owner, stereotypes, fields):
        self.serial += 1
        identifier = self.reserve()
        self.table[identifier] = self.leaf(self.serial)
        return self.fill(index, class_name, fields | {
            "_name": self.uid(self.text(name)), "_owner": self.uid(owner), "_uniqueElementID": self.uid(identifier),
            "_visibility": self.zero, "XDBucketForStereotypesstorage": self.uid(self.dictionary(stereotypes))})

    def entity(self, number, attributes, count, package):
        index = self.entities[number]
        members = {name: self.attribute(name, TYPES[position % len(TYPES)], index)
                   for position, name in enumerate(attributes)}
        for link in relationships(number, count):
            members[link[0]] = self.relationship(number, *link)
        settings = {"XD_PSK_entityClassName": f"Entity{number}", "XD_PSK_isAbstract": False, "XD_PSK_elementID": None,
                    "XD_PSK_versionHashModifier": None, "XD_PSK_userInfo": (self.dictionary({}),),
                    "XDPMCompoundIndexes": None, "XDPMUniquenessConstraints": None}
        self.element(
            index, "XDPMEntity", f"Entity{number}", package,
            {"XD_PEntityStereotype": self.stereotype("XD_PEntityStereotype", index, settings)},
            {"_isAbstract": self.off, "XDBucketForOwnedAttributesstorage": self.uid(self.dictionary(members))})

    def shared_settings(self):
        return {"XD_PPSK_isOptional": True, "XD_PPSK_isTransient": False, "XD_PPSK_isIndexed": False,
                "XD_PPSK_isSpotlightIndexed": False, "XD_PPSK_isStoredInTruthFile": False, "XD_PPSK_elementID": None,
                "XD_PPSK_versionHashModifier": None, "XD_PPSK_userInfo": (self.dictionary({}),)}

    def attribute(self, name, kind, owner):
        index = self.reserve()
        own = {"XD_PAttK_attributeType": self.STRINGS[kind], "XD_PAttK_defaultValueAsString": None,
               "XD_PAttK_minValueString": None, "XD_PAttK_maxValueString": None,
               "XD_PAttK_regularExpressionString": None, "XD_PAttK_valueTransformerName": None,
               "XD_PAttK_allowsExternalBinaryDataStorage": False}
        return self.element(index, "XDPMAttribute", name, owner, {
            "XD_PPropStereotype": self.stereotype("XD_PPropStereotype", index, self.shared_settings()),
            "XD_PAttributeStereotype": self.stereotype("XD_PAttributeStereotype", index, own)},
            dict.fromkeys(["_isReadOnly", "_isStatic", "_isUnique", "_isDerived", "_isOrdered", "_isLeaf"], self.off))

    def relationship(self, entity, name, other, inverse, is_to_many):
        index = self.links[entity, name]
        own = {"XD_PRK_minCount": 0, "XD_PRK_maxCount": 0 if is_to_many else 1, "XD_PRK_deleteRule": 1,
               "XD_PRK_ordered": False, "XD_PRK_isToMany": is_to_many, "XD_PRK_destination": (self.entities[other],),
               "XD_PRK_inverseRelationship": (self.links[other, inverse],)}
        return self.element(index, "XDPMRelationship", name, self.entities[entity], {
            "XD_PPropStereotype": self.stereotype("XD_PPropStereotype", index, self.shared_settings()),
            "XD_PR_Stereotype": self.stereotype("XD_PR_Stereotype", index, own)},
            dict.fromkeys(["_isReadOnly", "_isStatic", "_isUnique", "_isDerived", "_isOrdered", "_isLeaf"], self.off))

    def data(self):
        top = self.container(0xD0, 1, [self.leaf("root"), self.uid(1)])
        objects = self.container(0xA0, len(self.table), self.table)
        keys = ["$archiver", "$objects", "$top", "$version"]
        values = [self.leaf("NSKeyedArchiver"), objects, top, self.leaf(100000)]
        whole = self.container(0xD0, 4, [self.leaf(key) for key in keys] + values)
        offsets, offset = [], 8
        for part in self.parts:
            offsets.append(offset)
            offset += len(part)
        trailer = struct.pack(">6xBBQQQ", 4, 4, len(self.parts), whole, offset)
        return b"".join([b"bplist00", *self.parts, struct.pack(f">{len(offsets)}I", *offsets), trailer])
