import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { type UseQueryResult, useMutation } from '@tanstack/react-query'
import type { WireManager } from '@zonewright/contract'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty, Failure, Loaded } from '../ui/feedback.tsx'
import { Names } from '../ui/name.tsx'
import { OneLineForm } from '../ui/one-line-form.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { When } from '../ui/when.tsx'

/** A shared zone or domain. */
interface SharedThing {
  readonly name: string
  readonly isOwner: boolean
  /** "Managers …": what they can and cannot do. */
  readonly lead: string
  /** What they can do, in a few words, for an empty list. */
  readonly may: string
  readonly invite: (email: string) => Promise<unknown>
  readonly remove: (account: string) => Promise<unknown>
  /** Called after the person has left. */
  readonly onLeft: () => Promise<void>
}

/** The managers of a zone or domain: the owner invites and removes them, and they can leave. */
export function ManagersPanel({
  thing,
  managers,
}: {
  thing: SharedThing
  managers: UseQueryResult<{ data: WireManager[] }>
}) {
  const [removing, setRemoving] = useState<WireManager>()
  const { isOwner } = thing
  const renew = (): Promise<unknown> => managers.refetch()
  return (
    <>
      {isOwner && <InviteSection thing={thing} onInvited={renew} />}
      <Section title={isOwner ? 'Managers' : 'Your access'}>
        <Loaded of={managers}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="account" title="Not shared">
                Invite someone above. Managers {thing.may}, and nothing else.
              </Empty>
            ) : (
              data.map((manager) => (
                <Group key={manager.email} justify="space-between">
                  <div>
                    <Group gap="xs">
                      <Text fw={600} className="breakable">
                        {manager.email}
                      </Text>
                      {manager.state === 'invited' && <Badge className="badge-orange">Invited</Badge>}
                    </Group>
                    <Text size="sm" className="quiet">
                      {sinceWhen(manager)}
                    </Text>
                  </div>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={removalText(manager, isOwner)}
                    onClick={() => setRemoving(manager)}
                  >
                    {!isOwner ? 'Leave' : manager.state === 'invited' ? 'Cancel the invitation' : 'Remove'}
                  </Button>
                </Group>
              ))
            )
          }
        </Loaded>
      </Section>
      {removing && (
        <RemoveDialog thing={thing} manager={removing} onRemoved={renew} onClose={() => setRemoving(undefined)} />
      )}
    </>
  )
}

function sinceWhen({ state, since, expires_at: expiresAt }: WireManager): ReactNode {
  if (state === 'accepted')
    return (
      <>
        Joined <When at={since} />
      </>
    )
  return (
    <>
      Invited <When at={since} />
      {expiresAt && (
        <>
          ; the invitation expires <When at={expiresAt} />
        </>
      )}
    </>
  )
}

function removalText({ state, email }: WireManager, isOwner: boolean): string {
  if (!isOwner) return 'Leave'
  return state === 'invited' ? `Cancel the invitation of ${email}` : `Remove ${email}`
}

function InviteSection({ thing, onInvited }: { thing: SharedThing; onInvited: () => Promise<unknown> }) {
  const [email, setEmail] = useState('')
  const invite = useMutation({
    mutationFn: () => thing.invite(email.trim()),
    onSuccess: async () => {
      toast(`${email.trim()} is invited.`)
      setEmail('')
      await onInvited()
    },
  })
  return (
    <Section title="Invite a manager" lead={thing.lead}>
      <OneLineForm button="Invite" loading={invite.isPending} onSend={() => invite.mutate()}>
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          value={email}
          maxLength={254}
          autoComplete="off"
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </OneLineForm>
      <Failure error={invite.error} />
    </Section>
  )
}

function RemoveDialog({
  thing: { name, isOwner, remove: take, onLeft },
  manager,
  onRemoved,
  onClose,
}: {
  thing: SharedThing
  manager: WireManager
  onRemoved: () => Promise<unknown>
  onClose: () => void
}) {
  const remove = useMutation({
    mutationFn: () => take(manager.account ?? manager.email),
    onSuccess: async () => {
      await (isOwner ? onRemoved() : onLeft())
      onClose()
    },
  })
  return (
    <ConfirmDialog
      opened
      title={isOwner ? `Remove ${manager.email}` : `Leave ${name}`}
      action={isOwner ? 'Remove' : 'Leave'}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Names>
        {isOwner
          ? `${manager.email} will no longer see ${name}, and that account’s keys no longer cover it.`
          : `You will no longer see ${name}, and your keys no longer cover it. Only its owner can invite you again.`}
      </Names>
    </ConfirmDialog>
  )
}
