import { Group, Text } from '@mantine/core'
import { brand } from '../util/brand.ts'

export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      {brand.hasLogo ? <img src="/brand/logo" alt="" width={28} height={28} /> : <Mark />}
      <Text fw={700} size="lg" span>
        {brand.name}
      </Text>
    </Group>
  )
}

function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b6e4f" />
      <path
        d="M9 10h14L11 22h12"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
