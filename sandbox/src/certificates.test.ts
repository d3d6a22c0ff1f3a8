import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { createAuthority } from './certificates.ts'

const authority = createAuthority('A throw-away authority of tests')

test('an authority signs itself and its server certificates, and is named as their issuer', () => {
  const ca = new X509Certificate(authority.cert)
  const leaf = new X509Certificate(authority.issue(['localhost', '127.0.0.1', '::1']).cert)
  assert.equal(ca.ca, true)
  assert.equal(leaf.ca, false)
  assert.equal(ca.verify(ca.publicKey), true)
  assert.equal(leaf.verify(ca.publicKey), true)
  assert.equal(leaf.checkIssued(ca), true)
  assert.equal(leaf.issuer, 'CN=A throw-away authority of tests')
})

test('a server certificate covers its own host names and addresses only', () => {
  const leaf = new X509Certificate(authority.issue(['localhost', 'hooks.example.com', '127.0.0.1', 'fd00::1:2']).cert)
  assert.equal(leaf.checkHost('localhost'), 'localhost')
  assert.equal(leaf.checkHost('hooks.example.com'), 'hooks.example.com')
  assert.equal(leaf.checkHost('other.example.com'), undefined)
  assert.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1')
  assert.equal(leaf.checkIP('127.0.0.2'), undefined)
  assert.equal(leaf.checkIP('fd00::1:2'), 'fd00::1:2')
})

test('certificates are valid from now on for ten years', () => {
  const leaf = new X509Certificate(authority.issue(['localhost']).cert)
  assert.ok(leaf.validFromDate.getTime() < Date.now())
  const days = (leaf.validToDate.getTime() - Date.now()) / 86_400_000
  assert.ok(days > 3_600 && days < 3_700, String(days))
})

test('a client that trusts the authority connects; one that does not refuses', async () => {
  const server = createServer(authority.issue(['127.0.0.1']), (socket) => socket.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const trusting = connect({ host: '127.0.0.1', port, ca: authority.cert })
  await once(trusting, 'secureConnect')
  assert.equal(trusting.authorized, true)
  trusting.destroy()
  const wary = connect({ host: '127.0.0.1', port })
  const [error] = (await once(wary, 'error')) as [NodeJS.ErrnoException]
  assert.match(String(error.code), /SELF_SIGNED|UNABLE_TO/)
  server.close()
})
