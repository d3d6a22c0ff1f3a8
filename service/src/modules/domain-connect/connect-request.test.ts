import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxParameterLength } from '@zonewright/contract'
import { Refusal } from '#platform/errors.ts'
import { parseConnectRequest, refuseCritical } from './connect-request.ts'
import { connectTemplateOf } from './connect-template.ts'

const path = '/v2/domainTemplates/providers/p.example/services/site/apply'

function codeOf(target: string): string | undefined {
  try {
    parseConnectRequest(target)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return error.details[0]?.code
  }
}

test('decodes the parameters of a link like those of an HTML form', () => {
  const request = parseConnectRequest(`${path}?domain=example.com&host=&t=a%2Bb+c%20d%3D%26&e=%C3%A9&flag&=x`)
  assert.deepEqual([request.providerId, request.serviceId], ['p.example', 'site'])
  assert.deepEqual(Object.fromEntries(request.parameters), {
    domain: 'example.com',
    host: '',
    t: 'a+b c d=&',
    e: 'é',
    flag: '',
    '': 'x',
  })
})

test('a signature covers the query as it was sent, in the same order, without sig and key', () => {
  const { signedText } = parseConnectRequest(`${path}?b=2&sig=x%3D&a=a%2bb&key=_dck1&domain=example.com`)
  assert.equal(signedText, 'b=2&a=a%2bb&domain=example.com')
})

// domainconnect_python 0.0.9, domainconnect/domainconnect.py, get_domain_connect_template_sync_url.
test('reads the link of domainconnect_python', () => {
  const target =
    '/v2/domainTemplates/providers/exampleservice.domainconnect.org/services/template1/apply?domain=connect.domains&host=foo&IP=132.148.25.185&RANDOMTEXT=shm%3A1531371203%3AHello+world+sync&redirect_uri=http%3A%2F%2Fexample.com&state=%7Bname%3Dvalue%7D'
  const { parameters } = parseConnectRequest(target)
  assert.equal(parameters.get('RANDOMTEXT'), 'shm:1531371203:Hello world sync')
  assert.equal(parameters.get('state'), '{name=value}')
})

test('refuses links that do not follow the protocol', () => {
  const targets = [
    '',
    '/',
    path,
    'https://example.com',
    `${path}/?a=1`,
    `/x${path}?a=1`,
    `${path}?a=1#b`,
    `${path.replace('site', '')}?a`,
  ]
  for (const target of [...targets, `${path.replace('site', '%E0%A4')}?a=1`, `${path}?a=%zz`, `${path}?%ff=1`])
    assert.equal(codeOf(target), 'malformed', target)
})

test('refuses a parameter that appears twice, however it is encoded', () => {
  for (const query of ['domain=a&domain=b', 'domain=a&dom%61in=a', 'sig=a&sig=b', 'a&a', 'x+y=1&x%20y=1'])
    assert.equal(codeOf(`${path}?${query}`), 'duplicate', query)
})

test('a link has at most 200 parameters, each of at most 4,000 characters', () => {
  const many = (count: number): string => Array.from({ length: count }, (_, i) => `p${i}=1`).join('&')
  assert.equal(codeOf(`${path}?${many(200)}`), undefined)
  assert.equal(codeOf(`${path}?${many(201)}`), 'too_many')
  assert.equal(codeOf(`${path}?a=${'x'.repeat(maxParameterLength)}`), undefined)
  assert.equal(codeOf(`${path}?a=${'x'.repeat(maxParameterLength + 1)}`), 'too_long')
})

test('refuses a link that requires something that the service does not support', () => {
  const template = connectTemplateOf({
    ...{ providerId: 'p', providerName: 'P', serviceId: 's', serviceName: 'S' },
    records: [{ type: 'TXT', host: '@', data: '%code%' }],
  })
  const check = (query: string) => refuseCritical(parseConnectRequest(`${path}?${query}`), template)
  for (const query of ['vnd.example.dry=1&crit=vnd.example.dry', 'instanceId=1&crit=state,instanceId'])
    assert.throws(() => check(query), Refusal, query)
  // crit refuses only parameters that the link contains and the service does not support.
  for (const query of ['crit=vnd.example.dry', 'code=1&crit=code,host', 'vnd.example.dry=1']) check(query)
})
