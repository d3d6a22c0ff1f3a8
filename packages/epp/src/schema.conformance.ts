import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { anyMessage } from './arbitraries.test.ts'
import { Namespace, writeMessage } from './index.ts'

const folder = resolve(import.meta.dirname, '../../../../shared/data/epp-xsd')
assert.ok(existsSync(folder), `The schemas are missing: ${folder}`)
xmlRegisterFsInputProviders()

const schemas: readonly (readonly [string, string])[] = [
  ['urn:ietf:params:xml:ns:eppcom-1.0', 'eppcom-1.0'],
  [Namespace.epp, 'epp-1.0'],
  [Namespace.host, 'host-1.0'],
  [Namespace.domain, 'domain-1.0'],
  [Namespace.contact, 'contact-1.0'],
  [Namespace.rgp, 'rgp-1.0'],
  [Namespace.secDns, 'secDNS-1.1'],
  [Namespace.fee, 'fee-1.0'],
]
const imports = schemas.map(
  ([namespace, name]) => `<import namespace="${namespace}" schemaLocation="${folder}/${name}.xsd"/>`,
)
const schema = XmlDocument.fromString(`<schema xmlns="http://www.w3.org/2001/XMLSchema">${imports.join('')}</schema>`)
const validator = XsdValidator.fromDoc(schema)
after(() => validator.dispose())

function validate(text: string): void {
  const document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
  } finally {
    document.dispose()
  }
}

test('the schemas are enforced', () => {
  const login = '<epp xmlns="urn:ietf:params:xml:ns:epp-1.0"><command><poll op="ack"/></command></epp>'
  validate(login)
  assert.throws(() => validate(login.replace('"ack"', '"nack"')))
  const create = (inside: string) =>
    `<epp xmlns="${Namespace.epp}"><command><create><d:create xmlns:d="${Namespace.domain}">${inside}</d:create></create></command></epp>`
  assert.throws(() => validate(create('<d:name>example.test</d:name>')))
  validate(create('<d:name>example.test</d:name><d:authInfo><d:pw>2fooBAR</d:pw></d:authInfo>'))
})

test('every message that is written is valid according to the schemas of RFC 5730 to 5733, 3915, 5910 and 8748', () => {
  fc.assert(
    fc.property(anyMessage, (message) => validate(writeMessage(message))),
    { numRuns: process.env['NIGHTLY'] ? 20_000 : 2_000 },
  )
})
