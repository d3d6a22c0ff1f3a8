import { Text } from '@mantine/core'
import { useMatchRoute, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Answer } from '../api/client.ts'
import { Icon } from '../ui/icons.tsx'
import { ButtonLink, PlainLink, TextLink } from '../ui/links.tsx'
import { Name } from '../ui/name.tsx'
import { toast } from '../ui/toasts.tsx'
import { paths } from '../util/paths.ts'
import { type SetupState, type SetupStep, setupOf, stepShown } from '../util/setup-steps.ts'
import { NameserverStep } from './nameserver-step.tsx'
import { VerificationSteps } from './verification-panel.tsx'

type Zone = Answer<'getZone'>

/** The remaining setup steps of a zone. Each page of the zone shows the steps, and the first page also shows how to do the next one. */
export function SetupStrip({ zone, address }: { zone: Zone; address: string }) {
  const { step } = useSearch({ from: '/signed-in/zones/$zone' })
  const isWhole = useMatchRoute()({ to: '/zones/$zone' }) !== false
  const setup = setupOf(zone)
  useToldWhenDelegated(zone)
  if (setup === undefined) return null
  const shown = stepShown(step, setup.next)
  return (
    <section className="setup card" aria-label="Setup">
      <ol className="setup-steps">
        {setup.steps.map((one, at) => (
          <StepMark
            key={one.id}
            step={one}
            number={at + 1}
            shown={shown}
            address={address}
            isOpen={setup.next !== 'verify'}
            isWhole={isWhole}
          />
        ))}
      </ol>
      {isWhole && (
        <div className="setup-panel">
          {shown === 'verify' && <VerificationSteps zone={zone} address={address} />}
          {shown === 'records' && <RecordsStep zone={zone} address={address} />}
          {shown === 'nameservers' && <NameserverStep zone={zone} address={address} />}
        </div>
      )}
    </section>
  )
}

function StepMark({
  step: { id, label, isDone },
  number,
  shown,
  address,
  isOpen,
  isWhole,
}: {
  step: SetupState
  number: number
  shown: SetupStep
  address: string
  isOpen: boolean
  /** The instructions for the shown step are below. */
  isWhole: boolean
}) {
  const isShown = id === shown
  const mark = (
    <>
      <span className="setup-mark" aria-hidden="true">
        {isDone ? <Icon name="check" size={14} /> : number}
      </span>
      <span>
        {label}
        {isDone && <span className="only-read"> (done)</span>}
      </span>
    </>
  )
  const look = `setup-step${isDone ? ' setup-done' : ''}${isShown ? ' setup-shown' : ''}`
  const isDoable = id === 'verify' ? isShown : isOpen && id !== 'live'
  const leads = isDoable && !(isShown && isWhole)
  return (
    <li className={look} {...(isShown && { 'aria-current': 'step' as const })}>
      {leads ? (
        <PlainLink
          className="setup-link"
          {...(id === 'records' || id === 'nameservers' ? paths.setupStep(address, id) : paths.zone(address))}
        >
          {mark}
        </PlainLink>
      ) : (
        <span className="setup-link">{mark}</span>
      )}
    </li>
  )
}

function RecordsStep({ zone: { unicode_name: name }, address }: { zone: Zone; address: string }) {
  return (
    <>
      <Text component="h2" className="setup-title">
        Review the records at your current provider
      </Text>
      <Text size="sm">
        If <Name>{name}</Name> already has a website or email, copy its records before you change the nameservers. We
        find them for you, and nothing changes until you have reviewed them.
      </Text>
      <div className="setup-actions">
        <ButtonLink size="sm" {...paths.importZone(address)}>
          Find the records
        </ButtonLink>
        <TextLink size="sm" {...paths.setupStep(address, 'nameservers')}>
          Skip: the domain is new
        </TextLink>
      </div>
    </>
  )
}

/** Says that the domain points here, if it does so while the page is open. */
function useToldWhenDelegated({ id, unicode_name: name, delegation }: Zone): void {
  const before = useRef({ id, state: delegation.state })
  useEffect(() => {
    const { id: formerId, state } = before.current
    before.current = { id, state: delegation.state }
    if (formerId === id && state !== 'live' && delegation.state === 'live')
      toast(`${name} is delegated: all its nameservers are ours.`)
  }, [id, name, delegation.state])
}
