-- An endpoint with a rate limit has its row from the moment that the limit is set: claims lock it.
INSERT INTO webhook_paces (org_id, endpoint_id, next_at)
SELECT org_id, id, now() FROM webhook_endpoints WHERE rate_limit IS NOT NULL
ON CONFLICT DO NOTHING;
