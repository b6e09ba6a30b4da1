/**
 * The commands that the guides show. samples.test.ts runs them in this order in one shell against a real server, with
 * BASE and KEY set, and checks their output.
 */
const line = " \\\n  ";
const bearer = String.raw`-H "Authorization: Bearer $KEY"`;
const json = `${line}${bearer}${line}-H "Content-Type: application/json"`;
const field = (name: string) => `node -pe 'JSON.parse(require("fs").readFileSync(0)).${name}'`;

export const samples = {
  person: String.raw`curl -s -X PUT $BASE/v1/subjects${json}${line}-d '{
  "externalId": "s-1001",
  "displayName": "Ada Lovelace",
  "email": "ada@example.edu",
  "attributes": { "programme": "Mathematics" }
}'`,

  template: String.raw`export TEMPLATE=$(curl -s $BASE/v1/templates${json}${line}-d '{
  "name": "Student ID",
  "kind": "student_id",
  "design": {
    "front": {
      "fields": [
        { "key": "programme", "label": "Programme", "binding": "attributes.programme" }
      ]
    },
    "publicFields": ["programme"]
  },
  "validity": { "type": "duration", "amount": 1, "unit": "years" },
  "publish": true
}' | ${field("id")})
echo "$TEMPLATE"`,

  issue: String.raw`curl -s $BASE/v1/credentials${json}${line}-H "Idempotency-Key: enrolment-2026-s-1001"${line}-d '{
  "subject": { "externalId": "s-1001" },
  "templateId": "'$TEMPLATE'"
}' > credential.json
export ID=$(${field("id")} < credential.json)
export CODE=$(${field("code")} < credential.json)
cat credential.json`,

  verify: String.raw`# What anyone sees: no token
curl -s $BASE/public/credentials/$CODE`,

  suspend: String.raw`curl -s -X POST $BASE/v1/credentials/$ID/suspend${json}${line}-d '{ "reason": "Fees are overdue" }'`,

  resume: String.raw`curl -s -X POST $BASE/v1/credentials/$ID/resume${json}${line}-d '{ "reason": "Fees are paid" }'`,

  me: String.raw`curl -s $BASE/v1/me ${bearer}`,

  again: String.raw`# Sent again after an answer was lost: the stored answer, and nothing is issued twice
curl -s -i $BASE/v1/credentials${json}${line}-H "Idempotency-Key: enrolment-2026-s-1001"${line}-d '{
  "subject": { "externalId": "s-1001" },
  "templateId": "'$TEMPLATE'"
}'`,

  pages: String.raw`CURSOR=""
while [ "$CURSOR" != "null" ]; do
  PAGE=$(curl -s -G $BASE/v1/subjects ${bearer} \
    -d limit=100 \${CURSOR:+-d cursor=$CURSOR})
  echo "$PAGE" | node -pe 'JSON.parse(require("fs").readFileSync(0)).data.length + " people"'
  CURSOR=$(echo "$PAGE" | node -pe 'JSON.parse(require("fs").readFileSync(0)).nextCursor')
done`.replaceAll("\\$", "$"),

  changes: String.raw`# Since 1 September: what changed, oldest first
curl -s -G $BASE/v1/credentials${line}${bearer}${line}-d updatedAfter=2026-09-01T00:00:00Z${line}-d sort=updatedAt -d state=active,suspended`,

  condition: String.raw`ETAG=$(curl -s -D - -o /dev/null $BASE/v1/credentials/$ID${line}${bearer} | sed -n 's/^etag: //Ip' | tr -d '\r')
curl -s -X PATCH $BASE/v1/credentials/$ID${json}${line}-H "If-Match: $ETAG"${line}-d '{ "metadata": { "order": "4711" } }'`,

  connector: String.raw`CONNECTOR=$(curl -s $BASE/v1/connectors${json}${line}-d '{
  "name": "Student registry",
  "type": "csv",
  "mapping": {
    "externalId": "student_id",
    "displayName": { "transform": "template", "template": "{first} {last}" },
    "email": { "from": "mail", "transform": "lower" },
    "status": { "from": "state", "transform": "trim", "values": { "enrolled": "active", "left": "inactive" } },
    "attributes": { "programme": "course" }
  },
  "missing": "deactivate"
}' | ${field("id")})
cat > people.csv <<END
student_id,first,last,mail,state,course
s-1001,Ada,Lovelace,ada@example.edu,enrolled,Mathematics
END
curl -s $BASE/v1/connectors/$CONNECTOR/upload${line}${bearer}${line}-H "Content-Type: text/csv"${line}--data-binary @people.csv`,

  policy: String.raw`POLICY=$(curl -s $BASE/v1/policies${json}${line}-d '{
  "name": "Student IDs",
  "templateId": "'$TEMPLATE'",
  "rule": { "field": "attributes.programme", "op": "exists" },
  "onExit": "suspend",
  "graceDays": 14,
  "schedule": { "cron": "0 5 * * *", "timeZone": "Europe/Berlin" }
}' | ${field("id")})
PLAN=$(curl -s -X POST $BASE/v1/policies/$POLICY/preview${json}${line}-d '{}' | ${field("planHash")})
curl -s $BASE/v1/policies/$POLICY/apply${json}${line}-d '{ "planHash": "'$PLAN'" }'`,

  degree: String.raw`ACHIEVEMENT=$(curl -s $BASE/v1/achievements${json}${line}-d '{
  "name": "Master of Science in Computer Science",
  "description": "Two years of study with a thesis.",
  "criteria": { "narrative": "120 credits, of which 30 are for the thesis." },
  "achievementType": "MasterDegree",
  "resultDescriptions": [
    { "key": "grade", "name": "Final grade", "resultType": "LetterGrade", "allowedValues": ["A", "B", "C"] }
  ],
  "publish": true
}' | ${field("id")})
DEGREE=$(curl -s $BASE/v1/templates${json}${line}-d '{
  "name": "Degree",
  "kind": "academic",
  "achievementId": "'$ACHIEVEMENT'",
  "publish": true
}' | ${field("id")})
AWARD=$(curl -s $BASE/v1/credentials${json}${line}-d '{
  "subject": { "externalId": "s-1001" },
  "templateId": "'$DEGREE'",
  "data": {
    "results": { "grade": "A" },
    "creditsEarned": 120,
    "evidence": [{ "name": "Thesis", "url": "https://example.edu/theses/17.pdf" }]
  }
}' | ${field("id")})
curl -s $BASE/v1/credentials/$AWARD/credential.json${line}${bearer}`,

  groups: String.raw`GROUP=$(curl -s $BASE/v1/groups${json}${line}-d '{ "name": "Class of 2026" }' | ${field("id")})
curl -s -o /dev/null $BASE/v1/groups/$GROUP/members${json}${line}-d '{ "externalIds": ["s-1001"] }'
curl -s $BASE/v1/groups${json}${line}-d '{
  "name": "Class of 2026, active",
  "rule": {
    "all": [
      { "field": "groups", "op": "contains", "value": "'$GROUP'" },
      { "field": "status", "op": "eq", "value": "active" }
    ]
  }
}'`,

  photo: String.raw`SUBJECT=$(curl -s -G $BASE/v1/subjects ${bearer} -d externalId=s-1001 | ${field("data[0].id")})
curl -s -X PUT $BASE/v1/subjects/$SUBJECT/photo${line}${bearer}${line}-H "Content-Type: image/jpeg"${line}--data-binary @ada.jpg`,

  photoShown: String.raw`SUBJECT=$(curl -s -G $BASE/v1/subjects ${bearer} -d externalId=s-1001 | ${field("data[0].id")})
curl -s $BASE/v1/subjects/$SUBJECT/photo/2x${line}${bearer}${line}-H "Accept: image/webp" -o ada.webp -w '%{http_code} %{content_type}\n'`,

  photoTemplate: String.raw`curl -s $BASE/v1/templates${json}${line}-d '{
  "name": "Staff card",
  "kind": "employee_id",
  "design": {
    "front": {
      "fields": [
        { "key": "photo", "binding": "subject.photo" }
      ]
    },
    "publicFields": ["photo"],
    "photoApproval": true
  },
  "publish": true
}'`,

  twoSided: String.raw`curl -s $BASE/v1/templates${json}${line}-d '{
  "name": "Library card",
  "kind": "membership",
  "design": {
    "font": "serif",
    "front": {
      "fields": [
        { "key": "number", "label": { "en": "Number", "de": "Nummer" }, "binding": "subject.externalId", "width": "half" },
        { "key": "until", "label": "Valid through", "binding": "credential.expiresAt", "format": "month", "width": "half" }
      ]
    },
    "back": {
      "fields": [
        { "key": "found", "label": "Found this card?", "text": "Please return it to the library.", "width": "full" }
      ]
    },
    "publicFields": ["found"]
  },
  "publish": true
}'`,

  endpoint: String.raw`curl -s $BASE/v1/webhook_endpoints${json}${line}-d '{
  "url": "https://example.edu/hooks/bonafide",
  "eventTypes": ["credential.*"]
}'`,

  log: String.raw`# The log itself: what an endpoint missed, in order and without gaps
curl -s -G $BASE/v1/events${line}${bearer}${line}-d after=0`,

  refused: String.raw`curl -s $BASE/v1/credentials${json}${line}-d '{ "templateId": "'$TEMPLATE'", "colour": "blue" }'`,

  revoke: String.raw`curl -s -X POST $BASE/v1/credentials/$ID/revoke${json}${line}-d '{ "reason": "Left the university" }'
curl -s $BASE/public/credentials/$CODE`,
} as const;

/** Sets the service's address and the key for the other samples. */
export const setUp = `export BASE=http://localhost:3000
export KEY=svc_sk_live_…`;

/** Uses an OAuth client instead of a key. */
export const oauth = String.raw`curl -s $BASE/oauth/token -u "$CLIENT_ID:$CLIENT_SECRET"${line}-d grant_type=client_credentials -d scope=credentials:read`;
