import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { XmlAttribute, XmlCData, XmlComment, XmlDocument, XmlElement, XmlText } from 'libxml2-wasm'
import { elementWith } from './content/content.ts'
import { epp } from './content/eppcom.ts'
import { EppFault } from './index.ts'
import { bytesOf, readXml } from './reader.test.ts'
import { writeXml } from './write-xml.ts'

const refusedAs = (bytes: Uint8Array, form: RegExp): void => {
  assert.throws(
    () => readXml(bytes),
    (error) => error instanceof EppFault && error.code === 'bad_xml' && form.test(error.message),
  )
}

test('a document type is refused before any of it is processed', () => {
  const bombs = [
    '<!DOCTYPE epp [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><epp>&b;</epp>',
    '<!DOCTYPE epp SYSTEM "file:///etc/passwd"><epp/>',
    '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE epp [<!ENTITY x SYSTEM "file:///etc/hostname">]><epp>&x;</epp>',
    '<epp><![CDATA[<!DOCTYPE]]></epp>',
  ]
  for (const bomb of bombs) refusedAs(bytesOf(bomb), /document type/)
})

test('a document type hidden in another encoding is refused because it is not UTF-8', () => {
  const hidden = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE epp [<!ENTITY a "b">]><epp>&a;</epp>'
  refusedAs(Buffer.from(`\ufeff${hidden}`, 'utf16le'), /UTF-8/)
  refusedAs(Buffer.from(hidden, 'utf16le'), /UTF-8/)
  refusedAs(Buffer.from(`\ufeff${hidden}`, 'utf16le').swap16(), /UTF-8/)
  refusedAs(bytesOf('<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE epp+AD4-<epp/>'), /UTF-8/)
  assert.equal(readXml(bytesOf('<?xml version="1.0" encoding="ISO-8859-1"?><epp>é</epp>')).text, 'é')
})

test('an attribute of another namespace is not taken for the element’s own', () => {
  const { attributes } = readXml(bytesOf('<epp op="query" xmlns:o="urn:other" o:op="request" o:lang="en"/>'))
  assert.deepEqual({ ...attributes }, { op: 'query' })
})

test('a document that is not well-formed, not UTF-8 or too deep is refused', () => {
  for (const text of ['', 'epp', '<epp>', '<epp></ep>', '<epp>&unknown;</epp>', '<epp a="1" a="2"/>', '<a/><b/>'])
    refusedAs(bytesOf(text), /well-formed/)
  refusedAs(Uint8Array.of(0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x3c, 0x2f, 0x61, 0x3e), /UTF-8/)
  refusedAs(bytesOf('<x:epp/>'), /prefix/)
  refusedAs(bytesOf('<epp>one<?two three?>four</epp>'), /processing instructions/)
  refusedAs(bytesOf(`${'<a>'.repeat(65)}${'</a>'.repeat(65)}`), /deep/)
})

test('CDATA is part of the text, and comments are not', () => {
  const { text, children } = readXml(bytesOf('<epp>one<!-- two --><![CDATA[<five>]]>&#x36;<b/></epp>'))
  assert.equal(text, 'one<five>6')
  assert.equal(children.length, 1)
})

test('text and attributes are read as they were written, even if XML would change them', () => {
  const hard = `<>&"' \t\n\r]]> é 中 \u{1f600}`
  const written = writeXml(elementWith(epp('msg'), { attributes: { lang: hard }, text: hard }))
  const { text, attributes } = readXml(bytesOf(written))
  assert.deepEqual([text, attributes['lang']], [hard, hard])
})

test('a character that XML cannot contain is not written', () => {
  for (const text of ['\0', '\x08', '\x0b', '\x0c', '\x0e', '\x1f', '\ud800', 'a\udc00', '\ufffe', '\uffff'])
    assert.throws(() => writeXml(elementWith(epp('msg'), { text })), { code: 'bad_value' })
})

test('V8 can optimize the code that creates nodes', () => {
  setFlagsFromString('--allow-natives-syntax')
  const isFast = new Function('object', 'return %HasFastProperties(object)')
  const classes = [XmlDocument, XmlElement, XmlAttribute, XmlText, XmlCData, XmlComment]
  assert.deepEqual(
    classes.filter((each) => !isFast(each)),
    [],
  )
})
