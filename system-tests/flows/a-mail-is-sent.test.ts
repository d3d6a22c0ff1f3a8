// docs/flows/a-mail-is-sent.md, on real processes.
import assert from 'node:assert/strict'
import test from 'node:test'
import { worldForTests } from '../world/index.ts'

const world = await worldForTests()

/** Queues an email in a process that sends none, and returns its id. */
async function queue(to: string): Promise<string> {
  return (JSON.parse(await world.admin('mail', 'test', to)) as { queued: string }).queued
}

test('an email that one process queues is sent by another at once', async () => {
  const since = new Date().toISOString()
  const id = await queue('ada@example.net')
  const mail = await world.mailbox.waitFor('ada@example.net', 'the test mail', () => true, { since })
  assert.equal(mail.from, 'Zonewright <support@zonewright.test>')
  assert.equal(mail.subject, 'Test email from Zonewright')
  assert.equal(mail.message_id, `<${id}@zonewright.test>`)
  assert.deepEqual(mail.links, [`${world.facts.base_url}/`])
})

test('an email that is queued while the service is down is sent after its restart', async () => {
  process.kill(world.programs.service.pid ?? 0, 'SIGKILL')
  const id = await queue('later@example.net')
  const mail = await world.mailbox.waitFor('later@example.net', 'the test mail')
  assert.equal(mail.message_id, `<${id}@zonewright.test>`)
  assert.equal((await world.mailbox.list({ to: 'later@example.net' })).length, 1)
})

test('emails in the mailbox survive a kill of the mailbox', async () => {
  await queue('kept@example.net')
  const mail = await world.mailbox.waitFor('kept@example.net', 'the test mail')
  const { mailbox } = world.programs
  process.kill(mailbox.pid ?? 0, 'SIGKILL')
  assert.deepEqual(await world.mailbox.waitFor('kept@example.net', 'the test mail again'), mail)
  // The tests of another file may follow.
  await world.programs.service.ready()
})
