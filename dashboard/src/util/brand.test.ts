import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brand, brandIn } from './brand.ts'

test('without the service’s element, the dashboard has the name of this product', () => {
  assert.equal(brand.name, 'Zonewright')
  assert.equal(brandIn('no JSON').name, 'Zonewright')
})

test('the operator has a name, a color and links', () => {
  const links = [{ label: 'Status', url: 'https://status.example.net/' }]
  const content = JSON.stringify({ name: 'Ngozi DNS', color: '#1d4ed8', links, hasLogo: true })
  assert.deepEqual(brandIn(content), { name: 'Ngozi DNS', color: '#1d4ed8', links, hasLogo: true })
})
