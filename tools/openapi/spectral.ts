// Checks an OpenAPI document with Spectral's rules (spectral:oas). Any finding fails it, hints included.
import { readFileSync } from 'node:fs'
import core, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'

const [file = 'openapi.json'] = process.argv.slice(2)
const spectral = new core.Spectral()
spectral.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] })
const findings = await spectral.run(JSON.parse(readFileSync(file, 'utf8')))
for (const { code, message, path } of findings)
  process.stdout.write(`${file} ${path.join('.')}: ${message} (${code})\n`)
process.stdout.write(`Spectral: ${findings.length} findings\n`)
process.exitCode = findings.length === 0 ? 0 : 1
