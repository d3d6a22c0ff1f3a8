import type { XmlElement } from './element.ts'
import { EppFault } from './faults.ts'
import { Namespace, prefixes } from './namespaces.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'

/** An element as an XML document. Throws EppFault for characters that XML cannot contain. */
export function writeXml(root: XmlElement): string {
  return declaration + written(root, new Set())
}

/** `declared` are the namespaces whose prefixes are already declared at this place. */
function written(element: XmlElement, declared: ReadonlySet<string>): string {
  const { namespace, name, attributes, children, text } = element
  const prefix = prefixes[namespace]
  if (prefix === undefined && namespace !== Namespace.epp)
    throw new EppFault('bad_value', `Nothing is written in the namespace ${namespace}.`)
  const tag = prefix === undefined ? name : `${prefix}:${name}`
  const isNew = !declared.has(namespace)
  const within = isNew ? new Set(declared).add(namespace) : declared
  let start = `<${tag}`
  if (isNew) start += prefix === undefined ? ` xmlns="${namespace}"` : ` xmlns:${prefix}="${namespace}"`
  for (const [attribute, value] of Object.entries(attributes)) start += ` ${attribute}="${escaped(value, true)}"`
  if (children.length === 0 && text === '') return `${start}/>`
  return `${start}>${escaped(text, false)}${children.map((child) => written(child, within)).join('')}</${tag}>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Written as references, because readers would otherwise convert them to plain line feeds and spaces (XML 1.0 §2.11, §3.3.3).
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

function escaped(text: string, isAttribute: boolean): string {
  refuseForeign(text)
  return text.replaceAll(isAttribute ? /[&<>"\r\n\t]/g : /[&<>\r]/g, (character) => entities[character] ?? character)
}

/** Characters that no XML 1.0 document can hold, not even as references (§2.2), and halves of surrogate pairs. */
function refuseForeign(text: string): void {
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) || !text.isWellFormed())
    throw new EppFault('bad_value', 'A value holds a control character, or half of a character.')
}
