#!/usr/bin/env bash
# A channel gateway in a shell: kcat and jq.
#
#   cancel.sh CUSTOMER_KEY
#
# Asks to cancel three products, reads the question, answers "sim", prints what became of each. Needs KAFKA_BOOTSTRAP_SERVERS, and
# PIPELINE__PREFIX where the installation has one.
set -euo pipefail

customer=$1
brokers=${KAFKA_BOOTSTRAP_SERVERS:-127.0.0.1:19092}
prefix=${PIPELINE__PREFIX:+$PIPELINE__PREFIX.}
session="demo *(shell)~:$(date +%s%N)" # the channel's own id of the session, any text but a phone number: the key encodes it
# jq before 1.7 leaves !*'() as they are.
encoded='@uri | gsub("!"; "%21") | gsub("[*]"; "%2A") | gsub("\u0027"; "%27") | gsub("[(]"; "%28") | gsub("[)]"; "%29")'
key=$(jq -rn --arg session "$session" "[\"default\", \"telecom_contas\", \$session] | map($encoded) | join(\":\")")

# say NUMBER TEXT [TOKEN]: the same number again is the same message, and has no second effect
say() {
    jq -cn --arg session "$session" --arg id "$session-$1" --arg text "$2" --arg token "${3:-}" --arg customer "$customer" '{
        channel: "web", tenant_id: "default", agent_id: "telecom_contas",
        payload: {
            message: $text, session_id: $session, message_id: $id, business_context: {customer_key: $customer},
            metadata: ({contract_version: "gateway-request-v1"} + if $token == "" then {} else {confirmation: $token} end)
        }
    }' | kcat -P -b "$brokers" -t "${prefix}gateway.requests" -k "$key" -X acks=all -X partitioner=murmur2_random \
        -H content-type=application/json -H contract_version=gateway-request-v1
}

# answer NUMBER: the so-many-th answer to this session. kcat ends at the end of the topic, so it is asked until the answer is there;
# isolation.level=read_committed is what it reads with by default (without it, answers are seen that are taken back).
answer() {
    local found
    for _ in $(seq 120); do
        found=$(kcat -C -q -e -b "$brokers" -t "${prefix}channel.web.responses" -o beginning -X isolation.level=read_committed \
            -f '%k\t%s\n' | grep -F "$key"$'\t' | cut -f2- | sed -n "$1p" || true)
        [ -n "$found" ] && { printf '%s\n' "$found"; return; }
        sleep 0.5
    done
    echo "no answer to $key" >&2
    return 1
}

say 1 "quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr"
question=$(answer 1)
jq -r '"question\t" + .text' <<<"$question"
say 2 "sim" "$(jq -r '.metadata.confirmation.token // ""' <<<"$question")"
answer 2 | jq -r '.metadata.items[] | [.outcome, .subject, .protocol // .reason // ""] | @tsv'
