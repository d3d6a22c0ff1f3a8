/** For fields that take names and other words of computers: nothing corrects, completes or capitalizes them. */
export const nameInput = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const
