// `npm run nightly`: tests that take too long for `npm run ci`, which has a shorter test of the same behavior. The parts run one after the other. A
// part that exceeds its time limit has failed. Ends with the duration of each part and the tally of all tests.
//
// With arguments: only the parts whose name has one of these words, such as `npm run nightly -- browser`.
import { runGates } from './local/gates.ts'
import { nightlyParts } from './local/nightly-parts.ts'

const words = process.argv.slice(2)
const chosen = nightlyParts.filter(({ proves }) => words.length === 0 || words.some((word) => proves.includes(word)))
if (chosen.length === 0) {
  const names = nightlyParts.map(({ proves }) => `  ${proves}\n`)
  process.stderr.write(`No part has one of these words in its name. The parts are:\n${names.join('')}`)
  process.exit(1)
}
await runGates(chosen.map((part) => [part]))
