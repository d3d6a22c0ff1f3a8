import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { Behaviours } from '../behaviours.ts'
import type { Certificate } from '../certificates.ts'
import { actsAt, type Behaviour, type Step } from './behaviour.ts'
import type { MailFolder } from './mail-folder.ts'

const maxBytes = 10 * 1024 * 1024

/** The settings of the SMTP server. */
export interface SmtpAccess {
  /** Offers STARTTLS; with `implicit` it is TLS from the first byte. Without a certificate there is no TLS. */
  readonly tls?: Certificate & { readonly implicit?: boolean }
  /** Who may send. If left out, anyone may. */
  readonly login?: { readonly user: string; readonly password: string }
}

/** An SMTP server (RFC 5321) that stores messages for any recipient and forwards nothing. */
export function createSmtpServer(
  folder: MailFolder,
  behaviours: Behaviours<Behaviour>,
  { tls, login }: SmtpAccess,
): SMTPServer {
  const server = new SMTPServer({
    name: 'mailbox.test',
    banner: 'Zonewright sandbox',
    ...(tls && { cert: tls.cert, key: tls.key, secure: tls.implicit === true }),
    disabledCommands: tls ? [] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    size: maxBytes,
    rejectOversized: true,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    closeTimeout: 50,
    onAuth: (auth, _session, done) => {
      const known = login === undefined || (auth.username === login.user && auth.password === login.password)
      if (known) done(null, { user: auth.username })
      else done(refusal(535, 'Who are you?'))
    },
    onMailFrom: (_address, _session, done) => done(refusalAt('sender', behaviours.take('', actsAt('sender')))),
    onRcptTo: ({ address }, _session, done) =>
      done(refusalAt('recipient', behaviours.take(address, actsAt('recipient')))),
    onData: (stream, session, done) => {
      take(stream, session).then(
        (answer) => answer !== 'nothing' && done(answer),
        (error: Error) => done(refusal(451, error.message)),
      )
    },
  })
  // A client that disconnects is not an error of the server.
  server.on('error', () => undefined)

  async function take(stream: Readable, session: SMTPServerSession): Promise<Error | null | 'nothing'> {
    const message = await buffer(stream)
    const to = session.envelope.rcptTo.map(({ address }) => address)
    const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
    const behaviour = behaviours.take(to[0], actsAt('message')) ?? {}
    if (behaviour.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs).unref())
    const refused = refusalAt('message', behaviour)
    if (refused || message.length > maxBytes) return refused
    await folder.keep({ from, to, at: new Date().toISOString() }, message)
    if (!behaviour.drop) return null
    for (const connection of server.connections) if (connection.session.id === session.id) connection.close()
    return 'nothing'
  }

  return server
}

function refusalAt(step: Step, { refuse, code = 550 }: Behaviour = {}): Error | null {
  return refuse === step ? refusal(code, `The ${step} is refused, as configured`) : null
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
