/** Records of many types, below any zone. */
export const sample = `
@ 300 IN A 192.0.2.1
@ 300 IN MX 10 mail
@ 300 IN CAA 0 issue "ca.example.net"
@ 300 IN TXT "v=spf1 -all" "second; with a \\"quote\\""
long 300 IN TXT "${'0123456789'.repeat(25)}" "${'abcdefghij'.repeat(25)}"
mail 300 IN AAAA 2001:db8::1
* 60 IN A 192.0.2.2
*.deep.empty.non.terminal 60 IN TXT "wildcard"
www 300 IN CNAME elsewhere.example.net.
_sip._udp 300 IN SRV 10 20 5060 mail
_443._tcp.www2 300 IN TLSA 3 1 1 ${'ab'.repeat(32)}
svc 300 IN HTTPS \\# 21 00010000010006026832026833 00040004c0000203
_dns 300 IN SVCB \\# 9 000100000300020355
naptr 300 IN NAPTR 100 10 "U" "E2U+sip" "!^.*$!sip:a@example.net!" .
host 300 IN SSHFP 4 2 ${'cd'.repeat(32)}
place 300 IN LOC \\# 16 000016138b3cf018810cbce0009895b8
link 300 IN URI 10 1 "https://example.net/"
odd 300 IN TYPE65400 \\# 4 0a000001
sub 300 IN NS ns.sub
ns.sub 300 IN A 192.0.2.4
sub 300 IN DS 12345 13 2 ${'ef'.repeat(32)}
${Array.from({ length: 40 }, (_, i) => `h${i} 300 IN A 192.0.2.${i}`).join('\n')}
`
