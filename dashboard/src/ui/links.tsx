import { Anchor, type AnchorProps, Badge, type BadgeProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color' | 'style'> & { ref?: Ref<HTMLAnchorElement> }

/** A link in a text. */
export const TextLink = createLink((props: AnchorProps & Native) => <Anchor underline="always" {...props} />)

/** A link that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & Native) => <Button component="a" {...props} />)

/** A link that looks like a badge. */
export const BadgeLink = createLink((props: BadgeProps & Native) => <Badge component="a" {...props} />)

/** A link without a style of its own. */
export const PlainLink = createLink((props: Native) => <a {...props} />)
