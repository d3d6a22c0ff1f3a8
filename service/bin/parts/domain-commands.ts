import { decideAct, readStuckActs, restoreDomain, retryDomain } from '#modules/domains/index.ts'
import { Refusal } from '#platform/errors.ts'
import { type Command, chosenWords, decisionOf, minutesOf } from './admin-command.ts'

/** What an operator does about changes of domains that do not come to their end, and about domains that are about to be deleted. */
export const domainCommands: Readonly<Record<string, Command>> = {
  'domain stuck': {
    usage: 'domain stuck [--minutes N]',
    summary:
      'list changes of domains that were asked for 10 minutes ago, or N, and have not ended: their last command, and what the registry said',
    run: (tx, _actor, args) => readStuckActs(tx, minutesOf(args)),
  },
  'domain retry': {
    usage: 'domain retry DOMAIN',
    summary: 'take the next step of the change of a domain, and ask its registry how it is, now',
    run: (tx, actor, [name = '']) => retryDomain(tx, actor, name),
  },
  'domain mark': {
    usage: 'domain mark DOMAIN done|refused REASON',
    summary: 'end the change of a domain as the registry has told you; the registry is then asked how the domain is',
    run: (tx, actor, [name = '', ...said]) => decideAct(tx, actor, name, decisionOf(said)),
  },
  'domain restore': {
    usage: 'domain restore DOMAIN REASON',
    summary:
      'have a domain restored that is in its redemption period; the registry takes its fee from you, and is told the reason',
    run: (tx, actor, [name = '', ...reason]) => {
      if (reason.length === 0)
        throw new Refusal('validation_failed', 'Say why: the registry wants to know, such as "not renewed by mistake".')
      return restoreDomain(tx, actor, name, chosenWords('REASON', reason))
    },
  },
}
