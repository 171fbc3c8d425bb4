echo 'Starting the server...'
cat > /dev/null
