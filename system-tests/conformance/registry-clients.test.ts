import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { worldForTests } from '../world/index.ts'

const script = fileURLToPath(new URL('peers/net-epp.pl', import.meta.url))
const world = await worldForTests()

test("Debian's libnet-epp-perl logs in to the sandbox's registry, checks names and logs out", async () => {
  const { epp, epp_dir } = world.facts.registry
  const [host = '', port = ''] = epp.split(':')
  const names = ['free.test', 'nic.test', 'free.com.test']
  const { stdout } = await promisify(execFile)('perl', [script, host, port, epp_dir, ...names])
  assert.equal(stdout, 'free.test 1\nnic.test 0\nfree.com.test 1\n')
})
