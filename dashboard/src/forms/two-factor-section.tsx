import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import { auth, type TwoFactorStart } from '../api/auth.ts'
import { keys } from '../api/queries.ts'
import { renew } from '../api/query-client.ts'
import { CopyButton, CopyText } from '../ui/copy.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Section } from '../ui/page.tsx'
import { toast } from '../ui/toasts.tsx'
import { type Proof, ProofForm } from './proof-form.tsx'

interface Account {
  readonly email: string
  readonly two_factor: boolean
}

/** Two-factor authentication: on, off, or being set up. */
export function TwoFactorSection({ account }: { account: Account }) {
  return (
    <Section
      title="Two-factor authentication"
      lead="An authenticator app on your phone shows a code that changes every 30 seconds. API keys can be created only with it."
      actions={
        account.two_factor ? <Badge className="badge-green">On</Badge> : <Badge className="badge-gray">Off</Badge>
      }
    >
      {account.two_factor ? <TwoFactorOn /> : <TwoFactorOff />}
    </Section>
  )
}

function TwoFactorOff() {
  const [begun, setBegun] = useState<TwoFactorStart>()
  if (begun) return <Enrol begun={begun} onClose={() => setBegun(undefined)} />
  return (
    <ProofForm
      asks={['password']}
      passwordLabel="Your password, to begin"
      action="Turn it on"
      onProve={async ({ password }) => setBegun(await auth.startTwoFactor(password))}
    />
  )
}

/** The secret as a QR code and as text, the backup codes, and a field for the first code. This code turns it on and closes the section. */
function Enrol({ begun, onClose }: { begun: TwoFactorStart; onClose: () => void }) {
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: () => auth.confirmTwoFactor(code),
    onSuccess: async () => {
      toast('Two-factor authentication is on.', 'two-factor')
      await renew(keys.account)
    },
  })
  const secret = new URL(begun.totpURI).searchParams.get('secret') ?? ''
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(begun.totpURI, { border: 2 }))}`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate()
      }}
    >
      <Stack>
        <Text size="sm">1. Scan this QR code with your authenticator app, or enter the secret there.</Text>
        <Group align="center" gap="lg">
          <img
            src={picture}
            width={180}
            height={180}
            alt="QR code of the secret for your authenticator"
            className="qr"
          />
          <CopyText text={secret} what="the secret of the authenticator" />
        </Group>
        <BackupCodes
          codes={begun.backupCodes}
          lead="2. Store these backup codes where you can reach them without your phone. Each works once."
        />
        <TextInput
          label="3. The code that your authenticator shows now"
          required
          withAsterisk={false}
          maw={320}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Failure error={verify.error} />
        <Group>
          <Button type="submit" loading={verify.isPending}>
            Confirm
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function BackupCodes({ codes, lead }: { codes: readonly string[]; lead: string }) {
  return (
    <Stack gap="xs">
      <Text size="sm">{lead}</Text>
      <Group align="flex-start" wrap="nowrap" gap={4}>
        <ul className="backup-codes" aria-label="Backup codes">
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </ul>
        <CopyButton text={codes.join('\n')} what="the backup codes" />
      </Group>
    </Stack>
  )
}

function TwoFactorOn() {
  const [wish, setWish] = useState<'off' | 'codes'>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes)
    return (
      <Stack>
        <BackupCodes
          codes={codes}
          lead="Your new backup codes; the old ones no longer work. They are shown only once."
        />
        <Group>
          <Button onClick={() => setCodes(undefined)}>I have saved them</Button>
        </Group>
      </Stack>
    )
  if (wish === undefined)
    return (
      <Group>
        <Button variant="default" onClick={() => setWish('codes')}>
          New backup codes
        </Button>
        <Button variant="default" onClick={() => setWish('off')}>
          Turn it off
        </Button>
      </Group>
    )
  const act = async (proof: Proof): Promise<void> => {
    if (wish === 'codes') setCodes((await auth.renewBackupCodes(proof)).backupCodes)
    else {
      await auth.stopTwoFactor(proof)
      toast('Two-factor authentication is off. Your other sessions have ended.', 'two-factor')
      await renew(keys.account)
    }
    setWish(undefined)
  }
  return (
    <ProofForm
      key={wish}
      asks={['password', 'code']}
      action={wish === 'off' ? 'Turn two-factor authentication off' : 'Make new backup codes'}
      isDangerous={wish === 'off'}
      onProve={act}
      onCancel={() => setWish(undefined)}
    >
      {wish === 'off'
        ? 'Your account is then protected by the password alone, no keys can be created, and your other sessions end.'
        : 'The codes that you have now stop working.'}
    </ProofForm>
  )
}
