#pragma once
#include <libxml/xmlversion.h>
/* ICU's headers, which only the layout of a converter needs, clash with the copy inside Foundation. */
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlschemas.h>
#include <libxml/xmlschemastypes.h>
#include <string.h>

/* Where the parser's events go. Strings are UTF-8 and live only during the call. */
typedef struct {
  void *user;
  /* The parser's place in the bytes it was given; attributes are name and value in turn, values not terminated. */
  void (*start)(void *user, long offset, const char *name, int attributeCount, const char **attributes);
  void (*end)(void *user);
  void (*characters)(void *user, const char *text, int length);
  void (*failure)(void *user, int line, int column, const char *message);
  /* Set with the first failure, so that only that one is reported. */
  int stopped;
  xmlParserCtxtPtr context;
} ModelctlXMLEvents;

static inline void modelctl_xml_start(
    void *ctx, const xmlChar *localname, const xmlChar *prefix, const xmlChar *uri, int namespaceCount,
    const xmlChar **namespaces, int attributeCount, int defaultedCount, const xmlChar **attributes) {
  (void)prefix, (void)uri, (void)namespaceCount, (void)namespaces, (void)defaultedCount;
  ModelctlXMLEvents *events = (ModelctlXMLEvents *)ctx;
  events->start(
      events->user, xmlByteConsumed(events->context), (const char *)localname, attributeCount,
      (const char **)attributes);
}

static inline void modelctl_xml_end(
    void *ctx, const xmlChar *localname, const xmlChar *prefix, const xmlChar *uri) {
  (void)localname, (void)prefix, (void)uri;
  ModelctlXMLEvents *events = (ModelctlXMLEvents *)ctx;
  events->end(events->user);
}

static inline void modelctl_xml_characters(void *ctx, const xmlChar *text, int length) {
  ModelctlXMLEvents *events = (ModelctlXMLEvents *)ctx;
  events->characters(events->user, (const char *)text, length);
}

static inline void modelctl_xml_entity(
    void *ctx, const xmlChar *name, int type, const xmlChar *publicID, const xmlChar *systemID, xmlChar *content) {
  (void)name, (void)type, (void)publicID, (void)systemID, (void)content;
  ModelctlXMLEvents *events = (ModelctlXMLEvents *)ctx;
  if (events->stopped) return;
  events->stopped = 1;
  events->failure(
      events->user, xmlSAX2GetLineNumber(events->context), xmlSAX2GetColumnNumber(events->context),
      "entity declarations are not accepted");
  xmlStopParser(events->context);
}

#if LIBXML_VERSION >= 21200
static inline void modelctl_xml_failure(void *ctx, const xmlError *error) {
#else
static inline void modelctl_xml_failure(void *ctx, xmlError *error) {
#endif
  ModelctlXMLEvents *events = (ModelctlXMLEvents *)ctx;
  if (events->stopped || !error) return;
  if (error->level != XML_ERR_FATAL && error->code != XML_WAR_UNDECLARED_ENTITY) return;
  events->stopped = 1;
  events->failure(events->user, error->line, error->int2, error->message ? error->message : "not well-formed");
}

/* Parses UTF-8 text; nothing is loaded from elsewhere and no entity but the five of XML is known.
   It is given in pieces: the parser refuses a piece of more than 10 MB, which XML_PARSE_HUGE would allow together with
   any depth and any length of a name. */
static inline void modelctl_xml_parse(ModelctlXMLEvents *events, const char *bytes, long size) {
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = modelctl_xml_start;
  handler.endElementNs = modelctl_xml_end;
  handler.characters = modelctl_xml_characters;
  handler.cdataBlock = modelctl_xml_characters;
  handler.entityDecl = modelctl_xml_entity;
  handler.serror = modelctl_xml_failure;
  events->context = xmlCreatePushParserCtxt(&handler, events, NULL, 0, NULL);
  if (!events->context) {
    events->failure(events->user, 1, 1, "no memory for an XML parser");
    return;
  }
  xmlCtxtUseOptions(events->context, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC | XML_PARSE_NOCDATA);
  const long piece = 1 << 16;
  for (; size > piece && !events->stopped; bytes += piece, size -= piece)
    xmlParseChunk(events->context, bytes, (int)piece, 0);
  if (!events->stopped) xmlParseChunk(events->context, bytes, (int)size, 1);
  if (events->context->myDoc) {
    xmlFreeDoc(events->context->myDoc);
    events->context->myDoc = NULL;
  }
  xmlFreeParserCtxt(events->context);
  events->context = NULL;
}

/* Where a validation's first problem goes: the element's number in the document's order, counted from 0, and the cause. */
typedef struct {
  void *user;
  void (*problem)(void *user, long element, const char *message);
  /* Set with the first problem, so that only that one is reported. */
  int stopped;
} ModelctlSchemaEvents;

/* How many elements begin before this one. */
static inline long modelctl_xml_number(xmlNodePtr node) {
  if (node && node->type == XML_ATTRIBUTE_NODE) node = node->parent;
  while (node && node->type != XML_ELEMENT_NODE) node = node->parent;
  if (!node) return 0;
  long number = 0;
  xmlNodePtr current = xmlDocGetRootElement(node->doc);
  while (current && current != node) {
    if (current->type == XML_ELEMENT_NODE) number++;
    if (current->type == XML_ELEMENT_NODE && current->children) {
      current = current->children;
      continue;
    }
    while (current && !current->next) current = current->parent;
    if (current) current = current->next;
  }
  return current == node ? number : 0;
}

#if LIBXML_VERSION >= 21200
static inline void modelctl_xml_problem(void *ctx, const xmlError *error) {
#else
static inline void modelctl_xml_problem(void *ctx, xmlError *error) {
#endif
  ModelctlSchemaEvents *events = (ModelctlSchemaEvents *)ctx;
  if (events->stopped || !error) return;
  events->stopped = 1;
  events->problem(
      events->user, modelctl_xml_number((xmlNodePtr)error->node), error->message ? error->message : "not valid");
}

/* Sets up the types of schemas, which libxml2 before 2.13 does at first use and without a lock: call it once, first.
   Newer releases return a code, older ones nothing, which Swift does not take as one. */
static inline void modelctl_xml_init_types(void) { xmlSchemaInitTypes(); }

/* Holds UTF-8 text that is known to be well-formed against a schema; nothing is loaded from elsewhere.
   Returns 0 for a valid document, more for an invalid one, less when it could not be told. */
static inline int modelctl_xml_validate(
    ModelctlSchemaEvents *events, const char *bytes, int size, const char *schemaBytes, int schemaSize) {
  int result = -1;
  int options = XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
  xmlDocPtr document = xmlReadMemory(bytes, size, NULL, NULL, options);
  xmlSchemaParserCtxtPtr parser = xmlSchemaNewMemParserCtxt(schemaBytes, schemaSize);
  if (parser) xmlSchemaSetParserStructuredErrors(parser, modelctl_xml_problem, events);
  xmlSchemaPtr schema = parser ? xmlSchemaParse(parser) : NULL;
  xmlSchemaValidCtxtPtr validation = schema ? xmlSchemaNewValidCtxt(schema) : NULL;
  if (document && validation) {
    xmlSchemaSetValidStructuredErrors(validation, modelctl_xml_problem, events);
    result = xmlSchemaValidateDoc(validation, document);
  }
  if (validation) xmlSchemaFreeValidCtxt(validation);
  if (schema) xmlSchemaFree(schema);
  if (parser) xmlSchemaFreeParserCtxt(parser);
  if (document) xmlFreeDoc(document);
  return result;
}
