// The code of the dashboard that verifies a webhook, run by Python, PHP and Go. `tools/webhook-verify-installed.test.ts` runs the TypeScript.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { verificationCodes } from '@zonewright/dashboard/verification-code'
import { linesOf, webhookRequests, webhookSecret } from '../../tools/local/webhook-requests.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'zonewright-verification-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The program that calls the code in each language. It prints `accepted` or `refused` for each request in `requests.json`. */
const callers = {
  python: {
    file: 'code.py',
    command: ['python3', 'code.py'],
    called: (code: string) => `${code}
for request in json.load(open("requests.json")):
    try:
        print("accepted", event_of({"Service-Signature": request["signature"]}, request["body"].encode())["id"])
    except ValueError:
        print("refused")
`,
  },
  php: {
    file: 'code.php',
    command: ['php8.2', 'code.php'],
    called: (code: string) => `${code}
foreach (json_decode(file_get_contents('requests.json'), true) as $request) {
    try {
        $event = event_of($request['signature'], $request['body']);
        echo 'accepted ', $event['id'], PHP_EOL;
    } catch (RuntimeException $error) {
        echo 'refused', PHP_EOL;
    }
}
`,
  },
  go: {
    file: 'code.go',
    command: ['go', 'run', 'code.go'],
    called: (code: string) =>
      `${code.replace('package webhook', 'package main').replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"')}
func main() {
	var requests []struct{ Signature, Body string }
	file, _ := os.ReadFile("requests.json")
	_ = json.Unmarshal(file, &requests)
	for _, request := range requests {
		var event struct{ ID string }
		_ = json.Unmarshal([]byte(request.Body), &event)
		if Verify(http.Header{"Service-Signature": {request.Signature}}, []byte(request.Body)) == nil {
			fmt.Println("accepted", event.ID)
		} else {
			fmt.Println("refused")
		}
	}
}
`,
  },
}

for (const { id, code } of verificationCodes) {
  if (id === 'typescript') continue
  test(`the ${id} code of the dashboard accepts signed requests, and no others`, async () => {
    const {
      file,
      command: [program = '', ...options],
      called,
    } = callers[id]
    const requests = webhookRequests()
    await writeFile(join(folder, 'requests.json'), JSON.stringify(requests))
    await writeFile(join(folder, file), called(code))
    const env = { ...process.env, WEBHOOK_SECRET: webhookSecret, GOCACHE: join(folder, 'go') }
    const { stdout } = await run(program, options, { cwd: folder, env })
    assert.deepEqual(stdout.trim().split(/\r?\n/), linesOf(requests))
  })
}
