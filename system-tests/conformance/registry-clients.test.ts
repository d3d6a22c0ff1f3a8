import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startRegistryDns } from '@zonewright/sandbox'

const script = fileURLToPath(new URL('peers/net-epp.pl', import.meta.url))
const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-registry-'))
const registry = await startRegistryDns({
  dataDir,
  dnsListen: '127.0.0.1:0',
  httpListen: '127.0.0.1:0',
  eppListen: '127.0.0.1:0',
  tlds: ['test', 'com.test'],
  servers: [{ name: 'ns.nic.test', address: '127.0.0.1' }],
  hosts: [],
})
after(async () => {
  await registry.close()
  await rm(dataDir, { recursive: true })
})

test("Debian's libnet-epp-perl logs in to the sandbox's registry, checks names and logs out", async () => {
  const [host = '', port = ''] = (registry.epp?.address ?? '').split(':')
  const names = ['free.test', 'nic.test', 'free.com.test']
  const { stdout } = await promisify(execFile)('perl', [script, host, port, join(dataDir, 'epp'), ...names])
  assert.equal(stdout, 'free.test 1\nnic.test 0\nfree.com.test 1\n')
})
