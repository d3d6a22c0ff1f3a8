import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, it } from 'node:test'
import { endpointToText, parseEndpoint } from '../endpoint.ts'
import { expandWildcards, type Interfaces } from './wildcard.ts'

const interfaces: Interfaces = {
  lo: [{ address: '127.0.0.1' }, { address: '::1' }],
  eth0: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }, { address: '2001:db8::1' }, { address: 'fe80::1' }],
  eth1: [{ address: 'febf::1%eth1' }, { address: 'fd00::1' }],
  down: undefined,
}

function expand(texts: string[], from: Interfaces = interfaces): string[] {
  const endpoints = texts.flatMap((text) => parseEndpoint(text) ?? [])
  assert.equal(endpoints.length, texts.length)
  return expandWildcards(endpoints, from).map(endpointToText)
}

describe('a wildcard to listen on', () => {
  it('expands to every address of its family except link-local ones', () => {
    assert.deepEqual(expand(['0.0.0.0:53']), ['127.0.0.1:53', '192.0.2.1:53', '192.0.2.2:53'])
    const ipv6 = ['[::1]:53', '[2001:db8::1]:53', '[fd00::1]:53']
    for (const spelling of ['[::]:53', '[::0]:53', '[0:0:0:0:0:0:0:0]:53']) assert.deepEqual(expand([spelling]), ipv6)
  })

  it('leaves other endpoints unchanged, and lists none twice', () => {
    assert.deepEqual(expand(['192.0.2.2:53', '203.0.113.1:53']), ['192.0.2.2:53', '203.0.113.1:53'])
    assert.deepEqual(expand(['192.0.2.2:53', '0.0.0.0:53', '192.0.2.2:5353']), [
      '192.0.2.2:53',
      '127.0.0.1:53',
      '192.0.2.1:53',
      '192.0.2.2:5353',
    ])
  })

  it('keeps a separate endpoint for each address and each request of a free port', () => {
    assert.deepEqual(expand(['127.0.0.1:0', '127.0.0.1:0']), ['127.0.0.1:0', '127.0.0.1:0'])
    assert.equal(expand(['0.0.0.0:0']).length, 3)
  })

  it('is rejected if the machine has no address of its family', () => {
    assert.throws(() => expand(['[::]:53'], { lo: [{ address: '127.0.0.1' }, { address: 'fe80::1' }] }), {
      name: 'StartupFault',
      message: '--listen [::]:53: this machine has no such address',
    })
  })

  it('uses the addresses of this machine by default', () => {
    const own = Object.values(networkInterfaces()).flatMap((infos) => infos ?? [])
    const ipv4 = own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
    const [endpoint] = [{ host: '0.0.0.0', port: 53 }]
    assert.deepEqual(new Set(expandWildcards([endpoint]).map(({ host }) => host)), new Set(ipv4))
  })
})
