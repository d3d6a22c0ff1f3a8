import type { XmlElement } from './element.ts'
import { EppFault } from './faults.ts'

/** The part of libxml2-wasm that this file uses. The caller passes in the library. */
export interface XmlLibrary {
  readonly XmlDocument: LibraryClass & {
    fromBuffer(source: Uint8Array, options: { readonly encoding: string; readonly option: number }): LibraryDocument
  }
  readonly XmlElement: LibraryClass<LibraryElement>
  readonly XmlAttribute: LibraryClass
  readonly XmlText: LibraryClass<LibraryNode>
  readonly XmlCData: LibraryClass<LibraryNode>
  readonly XmlComment: LibraryClass
}

type LibraryClass<T extends object = object> = abstract new (...args: never) => T

interface LibraryDocument {
  readonly dtd: unknown
  readonly root: LibraryElement
  dispose(): void
}

interface LibraryNode {
  readonly content: string
  /** A processing instruction has no children, and the library does not see what follows it. */
  readonly next?: LibraryNode | null
}

interface LibraryElement extends LibraryNode {
  readonly name: string
  readonly namespaceUri: string
  readonly attrs: readonly { readonly name: string; readonly namespaceUri: string; readonly value: string }[]
  readonly firstChild: LibraryNode | null
}

/** Reads XML documents in UTF-8. Throws EppFault `bad_xml`. */
export type ReadXml = (bytes: Uint8Array) => XmlElement

// Options of libxml2's parser: nothing on standard error, no network, no entities, the given encoding and not the declared one.
const quietly = 32 | 64
const noNetwork = 2048
const ignoreDeclaredEncoding = 2_097_152
const noExternalEntities = 8_388_608
const option = quietly | noNetwork | ignoreDeclaredEncoding | noExternalEntities

/** EPP documents are about ten levels deep. */
const deepest = 64

/**
 * Creates a reader. It refuses documents with a document type before the parser sees them. EPP has none, and attacks on XML parsers (expanding
 * entities, fetched files) need one.
 */
export function xmlReader(library: XmlLibrary): ReadXml {
  storeClassesFast(library)
  return (bytes) => {
    if (holdsDocumentType(bytes)) throw new EppFault('bad_xml', 'XML with a document type is not read.')
    const document = parse(library, bytes)
    try {
      if (document.dtd !== null) throw new EppFault('bad_xml', 'XML with a document type is not read.')
      return toElement(library, document.root, 1)
    } finally {
      document.dispose()
    }
  }
}

/**
 * Makes V8 store the library's classes in its fast form, which it does for a class that another one extends. The library's decorators leave them as
 * dictionaries. V8 then compiles each function that creates nodes again and again, and never uses the result.
 */
function storeClassesFast(library: XmlLibrary): void {
  const { XmlDocument, XmlElement, XmlAttribute, XmlText, XmlCData, XmlComment } = library
  for (const Each of [XmlDocument, XmlElement, XmlAttribute, XmlText, XmlCData, XmlComment]) void class extends Each {}
}

function parse(library: XmlLibrary, bytes: Uint8Array): LibraryDocument {
  try {
    return library.XmlDocument.fromBuffer(bytes, { encoding: 'UTF-8', option })
  } catch (error) {
    throw new EppFault('bad_xml', `No well-formed XML in UTF-8: ${(error as Error).message.trim()}`)
  }
}

function toElement(library: XmlLibrary, node: LibraryElement, depth: number): XmlElement {
  if (depth > deepest) throw new EppFault('bad_xml', `XML more than ${deepest} elements deep is not read.`)
  // The parser accepts an undeclared prefix as part of the name.
  if (node.name.includes(':')) throw new EppFault('bad_xml', 'A prefix is not declared.')
  const children: XmlElement[] = []
  let text = ''
  for (let child = node.firstChild; child !== null; child = nextOf(child)) {
    if (child instanceof library.XmlElement) children.push(toElement(library, child, depth + 1))
    else if (isText(library, child)) text += child.content
  }
  const attributes: Record<string, string> = {}
  for (const { name, namespaceUri, value } of node.attrs) if (namespaceUri === '') attributes[name] = value
  return { namespace: node.namespaceUri, name: node.name, attributes, children, text }
}

function nextOf({ next }: LibraryNode): LibraryNode | null {
  if (next === undefined) throw new EppFault('bad_xml', 'XML with processing instructions is not read.')
  return next
}

/** Comments also have content, which is not text of the element. */
function isText(library: XmlLibrary, node: unknown): boolean {
  return node instanceof library.XmlText || node instanceof library.XmlCData
}

const documentType = Uint8Array.from('<!DOCTYPE', (character) => character.charCodeAt(0))

/** Whether the bytes contain `<!DOCTYPE` anywhere. They are read as UTF-8 whatever encoding they declare, so it has only one form. */
function holdsDocumentType(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x3c); at !== -1; at = bytes.indexOf(0x3c, at + 1))
    if (documentType.every((byte, i) => bytes[at + i] === byte)) return true
  return false
}
