import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainOf, hostOfUrl } from './typed-host.ts'

test('the host of a URL is found, together with the path that is left out', () => {
  assert.deepEqual(hostOfUrl('https://shop.example.net/cart?x#y'), { host: 'shop.example.net', path: '/cart?x#y' })
  assert.deepEqual(hostOfUrl('https://a:b@shop.example.net:8080/'), { host: 'shop.example.net' })
  for (const text of ['www', '192.0.2.1', '2001:db8::1', '0/25', '']) assert.deepEqual(hostOfUrl(text), { host: text })
})

test('a domain is found in a URL, with and without www', () => {
  for (const text of [
    'https://www.example.com/x',
    'www.example.com',
    'example.com.',
    ' example.com/x ',
    'example.com:80',
  ])
    assert.equal(domainOf(text), 'example.com', text)
  assert.equal(domainOf('www.test'), 'www.test')
})
