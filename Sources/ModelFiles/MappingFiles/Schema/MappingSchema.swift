/// The XML Schema of mapping files, the same as `docs/schemas/mapping.xsd`, so that the program needs no file beside it.
public enum MappingSchema {
  // swift-format-ignore
  /// The schema's text.
  public static let text = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">

      <xs:element name="mappingModel">
        <xs:annotation>
          <xs:documentation>How the objects of one model version become those of another. What is not written is inferred.</xs:documentation>
        </xs:annotation>
        <xs:complexType>
          <xs:choice minOccurs="0" maxOccurs="unbounded">
            <xs:element ref="policy"/>
            <xs:element ref="drop"/>
            <xs:element ref="entityMapping"/>
          </xs:choice>
          <xs:attribute name="source" type="name" use="required"/>
          <xs:attribute name="destination" type="name" use="required"/>
          <xs:attribute name="unmentioned" default="inferred">
            <xs:annotation>
              <xs:documentation>What happens with entities that no entityMapping mentions.</xs:documentation>
            </xs:annotation>
            <xs:simpleType>
              <xs:restriction base="xs:string">
                <xs:enumeration value="inferred"/>
                <xs:enumeration value="dropped"/>
              </xs:restriction>
            </xs:simpleType>
          </xs:attribute>
        </xs:complexType>
      </xs:element>

      <xs:element name="policy">
        <xs:annotation>
          <xs:documentation>What is done in place of a policy class that only an app has; empty, the class is treated as the default.</xs:documentation>
        </xs:annotation>
        <xs:complexType>
          <xs:choice minOccurs="0" maxOccurs="unbounded">
            <xs:element name="function">
              <xs:annotation>
                <xs:documentation>SQL in place of a method of the policy; $1, $2 … are its arguments.</xs:documentation>
              </xs:annotation>
              <xs:complexType>
                <xs:attribute name="selector" type="name" use="required"/>
                <xs:attribute name="sql" type="name" use="required"/>
              </xs:complexType>
            </xs:element>
            <xs:element name="attribute">
              <xs:annotation>
                <xs:documentation>SQL for an attribute that the policy fills.</xs:documentation>
              </xs:annotation>
              <xs:complexType>
                <xs:attribute name="name" type="name" use="required"/>
                <xs:attribute name="sql" type="name" use="required"/>
              </xs:complexType>
            </xs:element>
          </xs:choice>
          <xs:attribute name="class" type="name" use="required"/>
        </xs:complexType>
      </xs:element>

      <xs:element name="drop">
        <xs:annotation>
          <xs:documentation>States that source data is given up: Entity or Entity.property.</xs:documentation>
        </xs:annotation>
        <xs:complexType>
          <xs:attribute name="name" type="name" use="required"/>
        </xs:complexType>
      </xs:element>

      <xs:element name="entityMapping">
        <xs:annotation>
          <xs:documentation>How objects of one source entity become objects of one destination entity. Without a destination they are removed, without a source the entity starts empty.</xs:documentation>
        </xs:annotation>
        <xs:complexType>
          <xs:choice minOccurs="0" maxOccurs="unbounded">
            <xs:element name="attribute">
              <xs:annotation>
                <xs:documentation>The value of an attribute: one of value, sql, default and omitted, or none of them to leave it to inference.</xs:documentation>
              </xs:annotation>
              <xs:complexType>
                <xs:sequence>
                  <xs:element ref="userInfo" minOccurs="0" maxOccurs="unbounded"/>
                </xs:sequence>
                <xs:attribute name="name" type="name" use="required"/>
                <xs:attribute name="value" type="name"/>
                <xs:attribute name="sql" type="name"/>
                <xs:attribute name="default" type="yes"/>
                <xs:attribute name="omitted" type="yes"/>
              </xs:complexType>
            </xs:element>
            <xs:element name="relationship">
              <xs:annotation>
                <xs:documentation>The objects of a relationship: those that a mapping makes of the source objects at a key path, or a whole expression as the value.</xs:documentation>
              </xs:annotation>
              <xs:complexType>
                <xs:sequence>
                  <xs:element ref="userInfo" minOccurs="0" maxOccurs="unbounded"/>
                </xs:sequence>
                <xs:attribute name="name" type="name" use="required"/>
                <xs:attribute name="mapping" type="name"/>
                <xs:attribute name="keyPath" type="name"/>
                <xs:attribute name="value" type="name"/>
                <xs:attribute name="sql" type="name"/>
                <xs:attribute name="empty" type="yes"/>
                <xs:attribute name="omitted" type="yes"/>
              </xs:complexType>
            </xs:element>
            <xs:element ref="userInfo"/>
          </xs:choice>
          <xs:attribute name="name" type="name"/>
          <xs:attribute name="source" type="name"/>
          <xs:attribute name="destination" type="name"/>
          <xs:attribute name="where" type="name"/>
          <xs:attribute name="policy" type="name"/>
          <xs:attribute name="type">
            <xs:annotation>
              <xs:documentation>The kind as NSEntityMappingType names it, where it is not the one that follows from the other attributes.</xs:documentation>
            </xs:annotation>
            <xs:simpleType>
              <xs:restriction base="xs:string">
                <xs:enumeration value="undefined"/>
                <xs:enumeration value="custom"/>
                <xs:enumeration value="add"/>
                <xs:enumeration value="remove"/>
                <xs:enumeration value="copy"/>
                <xs:enumeration value="transform"/>
              </xs:restriction>
            </xs:simpleType>
          </xs:attribute>
          <xs:attribute name="sourceHash" type="versionHash"/>
          <xs:attribute name="destinationHash" type="versionHash"/>
        </xs:complexType>
      </xs:element>

      <xs:element name="userInfo">
        <xs:complexType>
          <xs:attribute name="key" type="xs:string" use="required"/>
          <xs:attribute name="value" type="xs:string" use="required"/>
        </xs:complexType>
      </xs:element>

      <xs:simpleType name="name">
        <xs:restriction base="xs:string">
          <xs:minLength value="1"/>
        </xs:restriction>
      </xs:simpleType>

      <xs:simpleType name="yes">
        <xs:restriction base="xs:string">
          <xs:enumeration value="yes"/>
        </xs:restriction>
      </xs:simpleType>

      <xs:simpleType name="versionHash">
        <xs:annotation>
          <xs:documentation>The 32 bytes of an entity's version hash in base64.</xs:documentation>
        </xs:annotation>
        <xs:restriction base="xs:string">
          <xs:pattern value="[A-Za-z0-9+/]{43}="/>
        </xs:restriction>
      </xs:simpleType>

    </xs:schema>

    """#
}
