edit current/Shop.lock.json -e '/"v3"/,$d'
edit current/Shop.lock.json '$s/},/}/'
printf '  }\n}\n' >> current/Shop.lock.json
