import { decideChange, readStuckChanges, restoreDomain, retryDomain } from '#modules/domains/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type Command, chosenWords, decisionOf, minutesOf } from './admin-command.ts'

/** Operator commands for domain changes that do not finish, and for domains that will soon be deleted. */
export const domainCommands: Readonly<Record<string, Command>> = {
  'domain stuck': {
    usage: 'domain stuck [--minutes N]',
    summary:
      'list domain changes that were requested at least 10 (or N) minutes ago and are not finished, with their last command and the registry’s response',
    run: (tx, _actor, args) => readStuckChanges(tx, minutesOf(args)),
  },
  'domain retry': {
    usage: 'domain retry DOMAIN',
    summary: 'run the next step of a domain change now, and read the domain from its registry',
    run: (tx, actor, [name = '']) => retryDomain(tx, actor, name),
  },
  'domain mark': {
    usage: 'domain mark DOMAIN done|refused REASON',
    summary:
      'end a domain change with the outcome that the registry gave you; the domain is then read from the registry',
    run: (tx, actor, [name = '', ...said]) => decideChange(tx, actor, name, decisionOf(said)),
  },
  'domain restore': {
    usage: 'domain restore DOMAIN REASON',
    summary: 'restore a domain in its redemption period; the registry charges you its fee and receives the reason',
    run: (tx, actor, [name = '', ...reason]) => {
      if (reason.length === 0)
        throw new Refusal('validation_failed', 'Give a reason for the registry, such as "the renewal was forgotten".')
      return restoreDomain(tx, actor, name, chosenWords('REASON', reason))
    },
  },
}
