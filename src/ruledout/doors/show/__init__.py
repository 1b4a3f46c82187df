"""How answers look: plain text for people, one JSON object for machines. Text from sessions is shown as data, never with escapes."""
