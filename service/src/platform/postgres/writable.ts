/** SQL for a boolean: whether the server of this session can be written. A standby cannot, and neither can a server that is still being restored. */
export const isWritableHere = `current_setting('transaction_read_only') = 'off'`
