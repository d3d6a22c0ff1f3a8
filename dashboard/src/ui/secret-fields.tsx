import { PasswordInput, TextInput } from '@mantine/core'

interface SecretFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A password that can be shown. */
export function PasswordField({
  label,
  value,
  onChange,
  isNew = false,
  isFirst = false,
  error,
}: SecretFieldProps & {
  isNew?: boolean
  /** The dialog puts the focus here. */
  isFirst?: boolean
  error?: string | undefined
}) {
  return (
    <PasswordInput
      label={label}
      {...(isNew && { description: '10 to 128 characters. Several words are best.' })}
      required
      withAsterisk={false}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      data-autofocus={isFirst || undefined}
      value={value}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A field for a two-factor code. */
export function CodeField({
  label,
  value,
  onChange,
  description = 'From your authenticator, or a backup code. Each code works only once.',
  autoFocus = false,
}: SecretFieldProps & { description?: string; autoFocus?: boolean }) {
  return (
    <TextInput
      label={label}
      description={description}
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      autoComplete="one-time-code"
      maxLength={100}
      maw={420}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
